import {expect, test} from 'vitest';
import {looksSecret} from '../../../src/pod/scope/secret.ts';

test.each([
	'.env', 'config/.env', '.env.local', '.env.production', '.ENV', 'prod.env', '.envrc',
	'id_rsa', 'id_ed25519', 'id_ecdsa_sk', 'id_rsa.bak', '/home/me/.ssh/id_dsa', 'server.pem', 'tls.key', 'store.p12', 'a.pfx', 'AuthKey.p8', 'putty.ppk', 'x.jks', 'pass.kdbx',
	'.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.git-credentials', '.htpasswd', 'credentials', '.aws/credentials', 'credentials.json', 'client_secret.json', 'service-account-prod.json', 'secrets.yaml', 'terraform.tfstate',
	'.docker/config.json', '/root/.kube/config', '.gnupg/private-keys', '/proc/self/environ', '/proc/17/task/17/environ', 'C:\\Users\\me\\.env',
	'id_work', 'id_ed25519_github', 'id_me@host', '.ssh/id_foo', 'backup/id_rsa_old', 'id_rsa.2024', 'ssh_host_ed25519_key', 'age.agekey', 'http.keytab', 'office.ovpn',
	'login.keychain-db', 'default.keyring', 'wg0.conf', 'a.pk8', 'sign.snk', 'secring.gpg',
	'.config/gh/hosts.yml', '/home/me/.config/gh/hosts.yml', '.config/hub', '.config/glab-cli/config.yml', '.config/doctl/config.yaml', '.fly/config.yml', '.config/netlify/config.json',
	'.local/share/com.vercel.cli/auth.json', '.codex/auth.json', '.local/share/opencode/auth.json', '.composer/auth.json', 'auth.json', 'app/auth.json', '.config/containers/auth.json',
	'.claude/.credentials.json', '.claude.json', '.gemini/oauth_creds.json', '.config/github-copilot/apps.json', '.config/helm/registry/config.json', '.config/helm/repositories.yaml',
	'kubeconfig', 'kubeconfig.yaml', 'prod.kubeconfig', 'kubeconfig-prod', '.kube/config-prod', '/etc/kubernetes/admin.conf', '.yarnrc.yml', '.yarnrc', '.m2/settings.xml', '.m2/settings-security.xml',
	'gradle.properties', '.gradle/gradle.properties', 'rclone.conf', '.config/rclone/rclone.conf', 'credentials.tfrc.json', '.terraform.d/credentials.tfrc.json', '.terraformrc', 'accessTokens.json', '.azure/accessTokens.json', '.azure/config', 'msal_token_cache.json',
	'.aws/config', '.aws/sso/cache/x.json', '.config/gcloud/credentials.db', '.config/gcloud/legacy_credentials/me/adc.json', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.pgpass', 'pgpass.conf', '.mylogin.cnf', '.boto',
	'.bash_history', '.zsh_history', '.history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history', '.rediscli_history', '.irb_history', '.Rhistory', '.octave_hist', '.zhistory', '.histfile', 'fish_history', '.local/share/fish/fish_history', '.lesshst', '.viminfo', 'ConsoleHost_history.txt', '.bash_history.bak',
	'.git/credentials', '.subversion/auth/svn.simple/x', 'pip.conf', '.bundle/config', '.sbt/.credentials', '.ivy2/.credentials', '.databrickscfg', '.snowflake/connections.toml', '.oci/config', '.dbt/profiles.yml', '.sentryclirc', '.ngrok2/ngrok.yml', '.cloudflared/cert.json', 'kaggle.json', '.cache/huggingface/token', '.supabase/access-token',
	'.vault_pass', '.vault-password', 'vault_pass.txt', 'ansible-vault-pass', '.vault_password_file', 'password.txt', '.secrets.toml', 'secrets.tfvars', '.dev.vars', 'local.settings.json', 'api_key.txt', '.openai_api_key', 'sftp-config.json', '.vscode/sftp.json',
	'.config/op/config', '.op/config', '.config/Bitwarden CLI/data.json', '.password-store/mail.gpg', '.local/share/keyrings/login.keyring', 'Library/Keychains/login.keychain-db', '.local/share/kwalletd/kdewallet.kwl',
	'wallet.dat', '.ethereum/keystore/UTC--2024-01-01T00-00-00Z--abc', '.config/solana/id.json', '.electrum/wallets/default', '.config/sops/age/keys.txt',
	'.mozilla/firefox/x.default/cookies.sqlite', '.mozilla/firefox/x.default/logins.json', '.mozilla/firefox/x/key4.db', '.config/google-chrome/Default/Cookies', '.config/chromium/Default/Login Data', 'cookies.txt',
	'/etc/shadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d/me', '/etc/wireguard/wg1.conf', '/private/etc/master.passwd', '/etc/NetworkManager/system-connections/home.nmconnection', '/tmp/krb5cc_1000',
	'client_secret_123.apps.googleusercontent.com.json', 'my-app-firebase-adminsdk-abc12-1234567890.json', 'gha-creds-0123.json', 'token.pickle', 'terraform.tfstate.1700000000.backup', '.env.old', '.netrc~', 'ID_RSA', '.CONFIG/GH/HOSTS.YML',
	'.env~', '.env-prod', '.env_local', 'server.pem.bak', 'id_ed25519~', '.netrc.old', '/home/me/.ssh/deploy', '.ssh/work_key',
])('%s, looks like a secret', path => {
	expect(looksSecret(path)).toBe(true);
});

test.each([
	'id_card.ts', 'id_map.json', 'id_column.sql', 'id_generator.py', 'id.ts', 'ids', 'identity', 'src/id_utils.go', 'id_work.pub', 'valid_id', 'grid_layout',
	'secret-names.ts', 'secrets.ts', 'docs/secrets.md', 'secret_santa.py', 'credentials.md', 'credentials_test.go', 'use-credentials.tsx', 'CredentialsProvider.java', 'token.ts', 'tokens.json', 'tokens.css', 'tokenizer.json', 'token.json', 'password.ts', 'passwords.md', 'password-input.tsx', 'api-key.ts', 'api-keys.tsx', 'api_key_test.rb', 'apikeys.go', 'auth.ts', 'src/auth/index.ts', 'auth.test.json',
	'locales/en/auth.json', 'public/locales/de-DE/auth.json', 'src/i18n/auth.json', 'lang/fr/auth.json', 'messages/auth.json',
	'history.ts', 'history.json', 'HISTORY.md', 'src/history/fold.ts', 'bash_history.md', 'git-history.sh', '.prehistoric',
	'settings.xml', 'src/settings.xml', 'build.gradle', 'gradle-wrapper.properties', 'gradle/wrapper/gradle-wrapper.properties', 'local.properties', 'application.properties', 'settings.gradle', 'yarn.lock', '.yarn/releases/yarn-4.0.0.cjs', 'yarnrc.md', '.npmignore', '.nvmrc', 'pipfile', 'pip.md', 'setup.cfg', 'hosts.yml', 'inventory/hosts.yml', 'hosts',
	'kubeconfig.go', 'kubeconfig_test.go', 'kube/deployment.yaml', 'config', 'src/config', 'config.toml', 'main.tf', 'variables.tf', 'terraform.tfvars', 'aws/config.ts', 'src/aws/index.ts', 'azure/main.bicep', 'azure-pipelines.yml', 'gcloud.md', 'src/gcloud/client.ts', 'infra/gcloud/deploy.py', 'src/configstore/index.js', 'docker-compose.yml', 'docker/config.json', 'helm/values.yaml', 'charts/helm/Chart.yaml', 'netlify.toml', 'vercel.json', 'fly.toml', 'wrangler.toml', 'firebase.json', '.firebaserc', 'google-services.json',
	'cookies.ts', 'cookies.md', 'cookie.json', 'src/cookies', 'wallet.ts', 'wallet.json', 'keys.ts', 'keys.txt', 'key.md', 'keychain.ts', 'keyring.go', 'keystore.ts', 'public.gpg', 'SHASUMS256.txt.asc', 'ca.crt', 'cert.cer', 'ssh_config', 'known_hosts', 'shadow', 'shadow.ts', 'shadow.css', 'sudoers.md', 'passwd', 'vault.ts', 'vault.yml', 'vault.md', 'service.json', 'services-account.ts', 'oauth.ts', 'session.json', '.gitconfig', '.git/config', '.gitignore', '.gitmodules', '.editorconfig', '.prettierrc', '.dockerignore', '.claude/settings.json', '.codex/config.toml', '.vscode/settings.json', '.github/workflows/ci.yml', 'environment.d.ts', 'env.d.ts', 'env.production.ts', 'profiles.yml', 'ngrok.md', 'package.json', 'README.md', 'Makefile', 'LICENSE',
	'.env.example', '.env.sample', '.env.template', 'deploy/.env.production.example', 'id_rsa.pub', 'key.ts', 'environment.ts', 'env', 'src/env.ts', 'credentials.ts', 'secrets.md', 'keyboard.json', 'config.json', 'kube/config', 'my_id_rsa_notes.md', '.envoy', 'monkey', '/project/proc/self/environ', '.ssh/config', '.ssh/known_hosts', '.ssh/deploy.pub', 'notes.md.bak', '.env.example~',
])('%s, does not', path => {
	expect(looksSecret(path)).toBe(false);
});
