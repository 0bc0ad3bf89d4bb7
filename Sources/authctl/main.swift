import AuthctlCLI
