import Foundation

/// A Secret Service that has one collection, and only those ways to unlock it that a test asks for.
///
/// The bus of a ``PrivateSession`` starts it. The password is `pw`.
public final class FakeSecretService: Sendable {
  /// What it is like.
  public enum Trait: String, Sendable {
    /// It has the interface of gnome-keyring that takes passwords.
    case interface
    /// It has the control socket of gnome-keyring.
    case control
    /// It has no collection at first.
    case empty
    /// Another process creates the collection `login` before a call does.
    case raced
    /// The collection is the default one only after it was made so.
    case unnamed
    /// A collection that the control socket creates is not on the bus, as with gnome-keyring 42.
    case hidden
    /// The control socket takes requests and does not respond.
    case silent
    /// It refuses the first search, as gnome-keyring 42.1 seldom does.
    case fickle
    /// The collection stays locked, whatever the password.
    case stubborn
  }

  /// The command line that starts it.
  public let command: String
  private let folder: TemporaryDirectory
  private static let program = Result {
    try CProgram(source, as: .program, libraries: ["gio-2.0"])
  }

  /// Creates one; `name` is that of its process.
  public init(_ traits: [Trait], name: String = "fake-service") throws {
    folder = try TemporaryDirectory()
    let file = folder.url.appending(path: name)
    // Not a copy: a program can't be started while another test's new process still has the file open for writing.
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: FakeSecretService.program.get().path)
    command = ([file.path, folder.url.path] + traits.map(\.rawValue)).joined(separator: " ")
  }

  /// The methods that were called to unlock, create or remove a collection, in order.
  public var calls: [String] {
    let text = try? String(contentsOf: folder.url.appending(path: "calls"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  private static let source = #"""
    #include <gio/gio.h>
    #include <glib-unix.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    #define PATH "/org/freedesktop/secrets"
    #define LOGIN PATH "/collection/login"
    #define SECOND PATH "/collection/login_1"

    static const char *xml =
      "<node>"
      "<interface name='org.freedesktop.Secret.Service'>"
      "<method name='OpenSession'><arg type='s' direction='in'/><arg type='v' direction='in'/>"
      "<arg type='v' direction='out'/><arg type='o' direction='out'/></method>"
      "<method name='SearchItems'><arg type='a{ss}' direction='in'/><arg type='ao' direction='out'/>"
      "<arg type='ao' direction='out'/></method>"
      "<method name='ReadAlias'><arg type='s' direction='in'/><arg type='o' direction='out'/></method>"
      "<method name='SetAlias'><arg type='s' direction='in'/><arg type='o' direction='in'/></method>"
      "<property name='Collections' type='ao' access='read'/></interface>"
      "<interface name='org.freedesktop.Secret.Collection'>"
      "<method name='Delete'><arg type='o' direction='out'/></method>"
      "<property name='Locked' type='b' access='read'/></interface>"
      "<interface name='org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface'>"
      "<method name='CreateWithMasterPassword'><arg type='a{sv}' direction='in'/>"
      "<arg type='(oayays)' direction='in'/><arg type='o' direction='out'/></method>"
      "<method name='UnlockWithMasterPassword'><arg type='o' direction='in'/>"
      "<arg type='(oayays)' direction='in'/></method></interface>"
      "<interface name='org.gnome.keyring.Daemon'>"
      "<method name='GetControlDirectory'><arg type='s' direction='out'/></method></interface>"
      "</node>";

    static GDBusConnection *bus;
    static GDBusNodeInfo *node;
    static const char *folder;
    static char **traits;
    static gboolean exists, named, locked = TRUE;

    static gboolean has (const char *trait) { return g_strv_contains ((const char *const *) traits, trait); }

    static void note (const char *call)
    {
      g_autofree char *path = g_build_filename (folder, "calls", NULL);
      FILE *file = fopen (path, "a");
      fprintf (file, "%s\n", call);
      fclose (file);
    }

    static void called (GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *,
                        GDBusMethodInvocation *, gpointer);
    static GVariant *read_property (GDBusConnection *, const char *, const char *, const char *, const char *,
                                    GError **, gpointer);
    static const GDBusInterfaceVTable table = { called, read_property, NULL };

    static void export (const char *path, const char *interface)
    {
      g_dbus_connection_register_object (bus, path, g_dbus_node_info_lookup_interface (node, interface), &table, NULL,
                                         NULL, NULL);
    }

    static void make_collection (void)
    {
      exists = TRUE;
      named = !has ("unnamed");
      export (LOGIN, "org.freedesktop.Secret.Collection");
    }

    static gboolean opens (const char *password, gsize length)
    {
      gboolean fits = length == 2 && memcmp (password, "pw", 2) == 0;
      if (fits && !has ("stubborn")) locked = FALSE;
      return fits;
    }

    static gboolean secret_opens (GVariant *secret)
    {
      g_autoptr (GVariant) value = g_variant_get_child_value (secret, 2);
      gsize length;
      const char *bytes = g_variant_get_fixed_array (value, &length, 1);
      return opens (bytes, length);
    }

    static GVariant *read_property (GDBusConnection *c, const char *sender, const char *path, const char *interface,
                                    const char *name, GError **error, gpointer data)
    {
      if (!strcmp (name, "Locked")) return g_variant_new_boolean (strcmp (path, LOGIN) == 0 && locked);
      const char *paths[] = { LOGIN };
      return g_variant_new_objv (paths, exists ? 1 : 0);
    }

    static void called (GDBusConnection *c, const char *sender, const char *path, const char *interface,
                        const char *name, GVariant *arguments, GDBusMethodInvocation *call, gpointer data)
    {
      if (!strcmp (name, "OpenSession")) {
        const char *algorithm;
        g_variant_get_child (arguments, 0, "&s", &algorithm);
        if (strcmp (algorithm, "plain"))
          return g_dbus_method_invocation_return_dbus_error (call, "org.freedesktop.DBus.Error.NotSupported", "no");
        return g_dbus_method_invocation_return_value (
          call, g_variant_new ("(vo)", g_variant_new_string (""), PATH "/session/1"));
      }
      if (!strcmp (name, "ReadAlias"))
        return g_dbus_method_invocation_return_value (call, g_variant_new ("(o)", exists && named ? LOGIN : "/"));
      if (!strcmp (name, "GetControlDirectory"))
        return g_dbus_method_invocation_return_value (call, g_variant_new ("(s)", folder));
      note (name);
      if (!strcmp (name, "SearchItems")) {
        static int searches;
        if (has ("fickle") && !searches++)
          return g_dbus_method_invocation_return_error (call, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD, "none");
        return g_dbus_method_invocation_return_value (call, g_variant_new ("(@ao@ao)",
          g_variant_new_objv (NULL, 0), g_variant_new_objv (NULL, 0)));
      }
      if (!strcmp (name, "SetAlias")) named = TRUE;
      if (!strcmp (name, "Delete"))
        return g_dbus_method_invocation_return_value (call, g_variant_new ("(o)", "/"));
      if (!strcmp (name, "UnlockWithMasterPassword")) {
        g_autoptr (GVariant) secret = g_variant_get_child_value (arguments, 1);
        if (!secret_opens (secret))
          return g_dbus_method_invocation_return_dbus_error (call, "org.gnome.keyring.Error.Denied", "It is wrong.");
      }
      if (!strcmp (name, "CreateWithMasterPassword")) {
        make_collection ();
        if (has ("raced")) {
          export (SECOND, "org.freedesktop.Secret.Collection");
          return g_dbus_method_invocation_return_value (call, g_variant_new ("(o)", SECOND));
        }
        g_autoptr (GVariant) secret = g_variant_get_child_value (arguments, 1);
        secret_opens (secret);
        return g_dbus_method_invocation_return_value (call, g_variant_new ("(o)", LOGIN));
      }
      g_dbus_method_invocation_return_value (call, NULL);
    }

    /* Serves one request of the control socket at once. */
    static gboolean accepted (int listener, GIOCondition condition, gpointer data)
    {
      int client = accept (listener, NULL, NULL);
      unsigned char head[13], password[256], response[8] = { 0, 0, 0, 8, 0, 0, 0, 0 };
      if (recv (client, head, 13, MSG_WAITALL) == 13) {
        note ("control");
        if (has ("silent")) return TRUE;
        gssize length = recv (client, password, head[12], MSG_WAITALL);
        if (head[4] != 12 + head[12] || head[8] != 1) response[7] = 2;
        else if (!opens ((char *) password, length)) response[7] = 1;
        else if (!exists && !has ("hidden")) make_collection ();
        send (client, response, 8, MSG_NOSIGNAL);
      }
      close (client);
      return TRUE;
    }

    static void listen_for_control (void)
    {
      struct sockaddr_un address = { .sun_family = AF_UNIX };
      snprintf (address.sun_path, sizeof address.sun_path, "%s/control", folder);
      int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (bind (listener, (struct sockaddr *) &address, sizeof address) || listen (listener, 5)) return perror ("bind");
      g_unix_fd_add (listener, G_IO_IN, accepted, NULL);
      export ("/org/gnome/keyring/daemon", "org.gnome.keyring.Daemon");
    }

    int main (int count, char **words)
    {
      folder = words[1];
      traits = words + 2;
      bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
      node = g_dbus_node_info_new_for_xml (xml, NULL);
      export (PATH, "org.freedesktop.Secret.Service");
      if (has ("interface")) export (PATH, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface");
      if (has ("control")) listen_for_control ();
      if (!has ("empty")) make_collection ();
      g_bus_own_name_on_connection (bus, "org.freedesktop.secrets", G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL,
                                    NULL);
      g_main_loop_run (g_main_loop_new (NULL, FALSE));
    }
    """#
}
