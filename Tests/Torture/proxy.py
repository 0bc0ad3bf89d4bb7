"""nginx in front of the loopback server: HTTP/2 over TLS for authctl, HTTP/1.1 behind it."""
import os
import subprocess

from session import wait_until

CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
worker_processes 1;
events {{ worker_connections 8192; }}
http {{
  log_format protocol "$server_protocol";
  access_log {folder}/requests protocol;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  upstream lab {{ server {lab}; keepalive 64; }}
  server {{
    listen 127.0.0.1:{port} ssl http2 backlog=4096;
    ssl_certificate {folder}/nginx.pem;
    ssl_certificate_key {folder}/nginx.key;
    location / {{
      proxy_pass http://lab;
      proxy_http_version 1.1;
      proxy_read_timeout 1200s;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
    }}
  }}
}}
"""


class Proxy:
    """One running nginx with files in a folder; authctl finds the server at `https://127.0.0.1:PORT`."""

    def __init__(self, folder, port, lab):
        self.folder = folder
        self.certificate = f"{folder}/nginx.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/nginx.key",
             "-out", self.certificate], check=True, capture_output=True)
        with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=folder, port=port, lab=lab.removeprefix("http://")))
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-p", folder, "-e", "stderr", "-c", file.name])
        wait_until("nginx listens", lambda: os.path.exists(f"{folder}/nginx.pid"))

    def protocols(self):
        """The protocols of all requests so far."""
        with open(f"{self.folder}/requests", encoding="utf-8") as file:
            return set(file.read().split())

    def stop(self):
        """Ends it and its worker."""
        self.process.terminate()
        self.process.wait()
