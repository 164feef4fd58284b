/**
The usual places of secrets, by file name or path. All patterns are in lower case, without backup suffixes. They omit
files that are ordinary in many projects: `*.tfvars`, `nuget.config`, `wp-config.php`.
*/

/** Matches templates and public keys. These files are harmless even if a pattern below matches them. */
export const harmlessNames = /\.(?:example|sample|template|tmpl|dist|pub)$/;

/**
Returns a path in lower case, as the original of a backup copy or of an editor's own file would be named. vim keeps the
text of `id_rsa` in `.id_rsa.swp`, but the text of `.env` in `.env.swp`, so there may be two names. Emacs saves to
`#id_rsa#`.
*/
export function originalPaths(path: string): readonly string[] {
	const whole = path.replaceAll('\\', '/').toLowerCase();
	const original = whole.replace(autoSaved, '$1$2').replace(backupSuffixes, '');
	return original === whole ? [whole] : [original, original.replace(/(^|\/)\.([^/]+)$/, '$1$2')];
}

const autoSaved = /(^|\/)#([^/]+)#$/;

/** Matches the suffixes of backup copies, and of the swap and undo files of vim. */
const backupSuffixes =
	/(?:\.un~|\.~\d+~|~|\.(?:bak|backup|old|orig|save|sw[a-p]|copy|tmp|rpmsave|rpmnew|dpkg-old|dpkg-dist))+$/;

export const secretNames: readonly RegExp[] = [
	// Environment files: .env, .env.local, .env-prod, prod.env, .envrc
	/^\.env(?:[._-].+)?$/,
	/\.env$/,
	/^\.envrc(?:\..+)?$/,
	/^\.dev\.vars(?:\..+)?$/,
	/^local\.settings\.json$/,
	// Private keys and key stores
	/^id_[a-z0-9][a-z0-9_@+-]*$/,
	/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].+)?$/,
	/^ssh_host_.+_key$/,
	/\.(?:pem|key|p12|pfx|pkcs12|p8|pk8|ppk|pvk|snk|jks|jceks|bks|keystore|kdb|kdbx|agekey|keytab|ovpn)$/,
	// ASCII-armored keys. Signatures have the same extension.
	/\.(?:asc|pkcs8|1pux|psafe3)$/,
	/^(?:.+[._-])?private[._-]?key(?:[._-].+)?\.(?:txt|json|xml|der)$/,
	/^(?:[\w-]+[._-](?:rsa|dsa|ecdsa|ed25519)|(?:[\w-]+[._-])?(?:private|deploy|ssh)[._-]?key)$/,
	/^(?:secring\.gpg|krb5cc_.+|wg\d+\.conf|wpa_supplicant\.conf)$/,
	/\.(?:keychain|keychain-db|keyring|kwl|nmconnection|1pif)$/,
	// Login files of command-line tools
	/^[._]netrc$/,
	/^\.(?:npmrc|yarnrc|yarnrc\.yml|pypirc|git-credentials|htpasswd|htdigest)$/,
	/^\.(?:pgpass|pg_service\.conf|my\.cnf|mylogin\.cnf)$/,
	/^\.(?:dockercfg|dockerconfigjson|s3cfg|boto|passwd-s3fs|smbcredentials)$/,
	/^\.(?:fetchmailrc|msmtprc|databrickscfg|sentryclirc)$/,
	/^\.(?:terraformrc|vault-token|vultr-cli\.yaml|ftpconfig|claude\.json|token|tokens|secret|secrets|password|passwd)$/,
	/^(?:pgpass\.conf|pip\.conf|rclone\.conf|terraform\.rc)$/,
	/^(?:sftp-config\.json|sitemanager\.xml|recentservers\.xml|kaggle\.json)$/,
	/^\.(?:authinfo|offlineimaprc|mbsyncrc|condarc|pnpmrc|bunfig\.toml|cifs|dbpass|authtoken)$/,
	/^\.?credentials(?:\.(?:json|ya?ml|toml|ini|xml|csv|db|properties|txt|tfrc\.json))?$/,
	/^(?:[\w-]+[._-]credentials|credentials[._-][\w-]+)\.(?:json|ya?ml|toml|ini|csv|txt)$/,
	/^(?:[\w-]+[._-])?secrets?(?:[._-][\w-]+)?\.ya?ml$/,
	/^\.?secrets?\.(?:json|ya?ml|toml|ini|env|xml|txt|tfvars|properties)$/,
	/^(?:gcp|gcloud|google|sa|service)[._-]key\.json$/,
	/^(?:gradle\.properties|settings-security\.xml|accesstokens\.json|azureprofile\.json|msal_token_cache\.(?:json|bin))$/,
	/^(?:[\w-]+[._-])?kubeconfig(?:[_-][\w-]+)?(?:\.(?:ya?ml|json|conf))?$/,
	/^(?:client_secrets?.*|service[_-]account.*|application_default_credentials)\.json$/,
	/^(?:gha-creds-.+|(?:.+-)?firebase-adminsdk-.+|oauth_creds)\.json$/,
	/^(?:\w+[._-])?token\.(?:json|pickle|txt)$/,
	/^(?:access|refresh|auth|oauth|bearer|api)[._-]?tokens?(?:\.(?:json|txt|ya?ml))?$/,
	/^\.?(?:[\w-]+[._-])?vault(?:[._-][\w-]+)?\.(?:ya?ml|json)$/,
	/^\.?(?:\w+[._-])?api[._-]?keys?(?:\.(?:txt|json|ya?ml))?$/,
	/^\.?(?:ansible[._-]?)?vault[._-]?pass(?:word)?(?:[._-]?file)?(?:\.txt)?$/,
	/^(?:passwords?|passwd)\.(?:txt|csv|json|ya?ml|xlsx|ods)$/,
	/^(?:bitwarden|lastpass|1password|dashlane|keepass)[._-]?export.*\.(?:json|csv|xml)$/,
	/^(?:[\w-]+[._-])?recovery[._-]codes\.txt$/,
	/\.tfstate(?:\.\d+)?$/,
	// Histories of shells, interpreters and databases
	/^[._][\w-]*(?:history|histfile|_hist)$/,
	/^(?:fish_history|consolehost_history\.txt|\.dbshell|\.lesshst|\.viminfo|\.rhistory)$/,
	// Data of browsers and wallets
	/^cookies\.(?:sqlite|txt|json|binarycookies|db)(?:-\w+)?$/,
	/^storage[._-]?state\.json$/,
	/^(?:login data|login data for account|key[34]\.db|signons\.sqlite)$/,
	/^(?:wallet\.dat|utc--\d{4}-\d{2}-\d{2}t.+)$/,
];

export const secretPlaces: readonly RegExp[] = [
	// Folders that are secret as a whole
	/(?:^|\/)\.(?:aws|azure|gnupg|password-store|electrum|bitcoin|op|sops)\//,
	/(?:^|\/)(?:gcloud|keyrings|kwalletd|library\/keychains)\/(?!.*\.(?:[cm]?[jt]sx?|md|py|go|rs)$)/,
	/(?:^|\/)(?:system-connections|bitwarden(?: cli)?|configstore)\/(?!.*\.(?:[cm]?[jt]sx?|md|py|go|rs)$)/,
	/(?:^|\/)\.ssh\/(?!(?:config|known_hosts|authorized_keys)$)/,
	/(?:^|\/)\.kube\/(?!cache\/)(?:.*\/)?(?:config.*|[^/]+\.(?:ya?ml|conf))$/,
	/(?:^|\/)\.subversion\/auth\//,
	/(?:^|\/)\.(?:cloudflared|snowsql|snowflake|oci|aliyun|bluemix|tccli)\/[^/]+$/,
	// Login files of command-line tools. These patterns also check the folder.
	/(?:^|\/)inkpod\/credentials[^/]*$/,
	/(?:^|\/)\.config\/(?:hub|op\/config|argocd\/config|linode-cli)$/,
	/(?:^|\/)gh\/hosts\.ya?ml$/,
	/(?:^|\/)(?:glab-cli|doctl|scw|\.fly|railway|\.railway)\/config\.(?:ya?ml|json|toml)$/,
	/(?:^|\/)(?:stripe|hcloud|\.wrangler\/config)\/(?:config|cli|default)\.toml$/,
	/(?:^|\/)(?:\.?netlify|\.docker|helm\/registry)\/config\.json$/,
	/(?:^|\/)helm\/repositories\.ya?ml$/,
	/(?:^|\/)\.?ngrok2?\/ngrok\.yml$/,
	/(?:^|\/)github-copilot\/(?:apps|hosts)\.json$/,
	/(?:^|\/)(?:\.codex|opencode|\.?composer|com\.vercel\.cli|containers|\.pi\/agent)\/auth\.json$/,
	/(?:^|\/)\.m2\/settings\.xml$/,
	/(?:^|\/)\.bundle\/config$/,
	/(?:^|\/)\.dbt\/profiles\.ya?ml$/,
	/(?:^|\/)\.vscode\/sftp\.json$/,
	/(?:^|\/)\.supabase\/access-token$/,
	/(?:^|\/)\.?huggingface\/(?:token|stored_tokens)$/,
	/(?:^|\/)solana\/id\.json$/,
	/(?:^|\/)sops\/age\/keys\.txt$/,
	/(?:^|\/)nushell\/history\.(?:txt|sqlite3)$/,
	/(?:^|\/)(?:\.ethereum|geth)\/(?:.*\/)?keystore\//,
	/(?:^|\/)\.git\/credentials$/,
	/(?:^|\/)(?:google-chrome|chromium|brave-browser|microsoft-edge|chrome|edge)\/(?:.*\/)?(?:cookies|web data)$/,
	/(?:^|\/)(?:\.?mozilla|firefox|librewolf|\.?thunderbird)\/.*\/logins(?:-backup)?\.json$/,
	// System files
	/^(?:\/private)?\/etc\/(?:g?shadow-?|sudoers|sudoers\.d\/.+|master\.passwd|security\/opasswd)$/,
	/^(?:\/private)?\/etc\/(?:wireguard\/.+|kubernetes\/.+\.conf)$/,
	// The environment of a process, including keys
	/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
];

/**
Matches the names of the folders in `secretPlaces`. A link with such a name makes the files of another folder secret.
*/
export const secretFolders = new RegExp(
	[
		/\.(?:aws|azure|gnupg|password-store|electrum|bitcoin|op|sops|ssh|kube|subversion|config|docker|m2|bundle|dbt)/,
		/\.(?:cloudflared|snowsql|snowflake|oci|aliyun|bluemix|tccli|fly|wrangler|codex|pi|vscode|supabase|ethereum|git)/,
		/gcloud|keyrings|kwalletd|keychains|system-connections|bitwarden(?: cli)?|configstore|inkpod|gh|glab-cli|doctl/,
		/scw|\.?railway|stripe|hcloud|\.?netlify|helm|registry|\.?ngrok2?|github-copilot|opencode|\.?composer/,
		/com\.vercel\.cli|containers|\.?huggingface|solana|age|nushell|geth|keystore|google-chrome|chromium/,
		/brave-browser|microsoft-edge|chrome|edge|\.?mozilla|firefox|librewolf|\.?thunderbird|auth|agent|library/,
	]
		.map(({source}) => `^(?:${source})$`)
		.join('|'),
	'i',
);

/** The login of Composer in a project folder. Translations with the same name are in language folders. */
export const composerAuth = /(?:^|\/)auth\.json$/;
export const translations = new RegExp(
	[
		String.raw`(?:^|/)(?:locales?|i18n|l10n|lang|langs|languages|translations?|messages|intl|`,
		String.raw`[a-z]{2}(?:[-_][a-z]{2,4})?)/auth\.json$`,
	].join(''),
);
