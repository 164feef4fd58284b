import {seededRandom} from '../../../helpers/random.ts';
/** Makes the parts of secrets. No two of them are the same. */
export type Maker = {
	readonly word: (length: number) => string;
	readonly upper: (length: number) => string;
	readonly hex: (length: number) => string;
	readonly digits: (length: number) => string;
	readonly base64: (length: number) => string;
	readonly uuid: () => string;
	/** A password that a person may choose. */
	readonly password: () => string;
};

/** A secret in a text. `secret` must not be in an export of the text. */
export type Planted = {readonly text: string; readonly secret: string};

export type Form = readonly [label: string, plant: (make: Maker) => Planted];

export function createMaker(seed: number): Maker {
	const random = seededRandom(seed);
	const from = (alphabet: string) => (length: number) =>
		Array.from({length}, () => alphabet[Math.floor(random() * alphabet.length)] ?? '').join('');
	const lower = 'abcdefghijklmnopqrstuvwxyz';
	const [word, digits] = [from(`${lower}${lower.toUpperCase()}0123456789`), from('123456789')];
	const [upper, hex] = [from(`${lower.toUpperCase()}234567`), from('0123456789abcdef')];
	const base64 = (length: number) => Buffer.from(word(length), 'latin1').toString('base64').slice(0, length);
	return {
		// Each has a digit and letters, as nearly every real one has.
		word: length => `a7Z${word(length - 3)}`,
		upper: length => `7Q${upper(length - 2)}`,
		hex: length => `7b${hex(length - 2)}`,
		digits,
		base64: length => `q9${base64(length - 2)}`,
		uuid: () => [8, 4, 4, 4, 12].map(length => hex(length)).join('-'),
		password: () => `${word(5)}7!x${word(6)}`,
	};
}

export const whole = (make: (maker: Maker) => string): ((maker: Maker) => Planted) => {
	return maker => {
		const secret = make(maker);
		return {text: secret, secret};
	};
};

/** `#` is the place of the password. */
export const around = (text: string, make: (maker: Maker) => string = maker => maker.password()) => {
	return (maker: Maker): Planted => {
		const secret = make(maker);
		return {text: text.replaceAll('#', () => secret), secret};
	};
};

const services: readonly Form[] = [
	['Anthropic', whole(({word}) => `sk-ant-api03-${word(60)}`)],
	['OpenRouter', whole(({hex}) => `sk-or-v1-${hex(64)}`)],
	['OpenAI', whole(({word}) => `sk-proj-${word(48)}`)],
	['old OpenAI', whole(({word}) => `sk-${word(48)}`)],
	['Langfuse', whole(({uuid}) => `sk-lf-${uuid()}`)],
	['Google', whole(({word}) => `AIza${word(35)}`)],
	['Google OAuth', whole(({word}) => `ya29.${word(60)}`)],
	['Google secret', whole(({word}) => `GOCSPX-${word(28)}`)],
	['Google refresh', whole(({word}) => `1//0${word(60)}`)],
	['AWS id', whole(({upper}) => `AKIA${upper(16)}`)],
	['AWS secret', around('aws_secret_access_key = #', ({word}) => word(40))],
	['AWS signature', around('https://b.s3.amazonaws.com/k?X-Amz-Signature=#', ({hex}) => hex(64))],
	['Azure storage', around('AccountName=a;AccountKey=#;EndpointSuffix=c', ({base64}) => `${base64(86)}==`)],
	['Azure signature', around('https://a.blob.core.windows.net/b?sv=1&sig=#', ({base64}) => `${base64(43)}%3D`)],
	['Azure secret', whole(({word}) => `abc8Q~${word(34)}`)],
	['GitHub', whole(({word}) => `ghp_${word(36)}`)],
	['GitHub fine', whole(({word}) => `github_pat_${word(22)}_${word(59)}`)],
	['GitLab', whole(({word}) => `glpat-${word(20)}`)],
	['Atlassian', whole(({word}) => `ATATT3${word(180)}`)],
	['Bitbucket', whole(({word}) => `ATBB${word(32)}`)],
	['Slack', whole(({digits, word}) => `xoxb-${digits(12)}-${word(24)}`)],
	['Slack app', whole(({word}) => `xapp-1-A${word(10)}-${word(40)}`)],
	[
		'Slack hook',
		around('https://hooks.slack.com/services/#', ({upper, word}) => `T${upper(8)}/B${upper(8)}/${word(24)}`),
	],
	['Discord hook', around('https://discord.com/api/webhooks/#', ({digits, word}) => `${digits(18)}/${word(68)}`)],
	['Discord bot', whole(({word}) => `M${word(23)}.${word(6)}.${word(30)}`)],
	['Stripe', whole(({word}) => `sk_live_${word(24)}`)],
	['Stripe hook', whole(({word}) => `whsec_${word(32)}`)],
	['Twilio', whole(({hex}) => `SK${hex(32)}`)],
	['SendGrid', whole(({word}) => `SG.${word(22)}.${word(43)}`)],
	['Mailgun', whole(({hex}) => `key-${hex(32)}`)],
	['Mailchimp', whole(({hex}) => `${hex(32)}-us12`)],
	['Brevo', whole(({hex, word}) => `xkeysib-${hex(64)}-${word(16)}`)],
	['Resend', whole(({word}) => `re_${word(8)}_${word(24)}`)],
	['npm', whole(({word}) => `npm_${word(36)}`)],
	['PyPI', whole(({word}) => `pypi-AgEIcHlwaS5vcmc${word(60)}`)],
	['RubyGems', whole(({hex}) => `rubygems_${hex(48)}`)],
	['crates.io', whole(({word}) => `cio${word(32)}`)],
	['NuGet', whole(({hex}) => `oy2${hex(43)}`)],
	['Docker', whole(({word}) => `dckr_pat_${word(27)}`)],
	['JFrog', whole(({word}) => `AKCp${word(69)}`)],
	['Hugging Face', whole(({word}) => `hf_${word(34)}`)],
	['Groq', whole(({word}) => `gsk_${word(52)}`)],
	['xAI', whole(({word}) => `xai-${word(80)}`)],
	['Perplexity', whole(({word}) => `pplx-${word(48)}`)],
	['Replicate', whole(({word}) => `r8_${word(37)}`)],
	['NVIDIA', whole(({word}) => `nvapi-${word(64)}`)],
	['Cerebras', whole(({hex}) => `csk-${hex(48)}`)],
	['LangSmith', whole(({hex}) => `lsv2_pt_${hex(32)}_${hex(10)}`)],
	['Pinecone', whole(({word}) => `pcsk_${word(60)}`)],
	['Tavily', whole(({word}) => `tvly-dev-${word(32)}`)],
	['DigitalOcean', whole(({hex}) => `dop_v1_${hex(64)}`)],
	['Databricks', whole(({hex}) => `dapi${hex(32)}`)],
	['Heroku', whole(({word}) => `HRKU-AA${word(56)}`)],
	['Fly.io', whole(({word}) => `fm2_${word(100)}`)],
	['Netlify', whole(({word}) => `nfp_${word(36)}`)],
	['Supabase', whole(({hex}) => `sbp_${hex(40)}`)],
	['PlanetScale', whole(({word}) => `pscale_tkn_${word(43)}`)],
	['Terraform', whole(({word}) => `${word(14)}.atlasv1.${word(67)}`)],
	['Pulumi', whole(({hex}) => `pul-${hex(40)}`)],
	['Telegram', whole(({digits, word}) => `${digits(10)}:AA${word(33)}`)],
	['Shopify', whole(({hex}) => `shpat_${hex(32)}`)],
	['Square', whole(({word}) => `sq0atp-${word(22)}`)],
	['Plaid', whole(({uuid}) => `access-production-${uuid()}`)],
	['Linear', whole(({word}) => `lin_api_${word(40)}`)],
	['Notion', whole(({word}) => `ntn_${word(46)}`)],
	['Airtable', whole(({word, hex}) => `pat${word(14)}.${hex(64)}`)],
	['Asana', whole(({digits, hex}) => `2/${digits(16)}/${digits(16)}:${hex(32)}`)],
	['Figma', whole(({word}) => `figd_${word(40)}`)],
	['Postman', whole(({hex}) => `PMAK-${hex(24)}-${hex(34)}`)],
	['HubSpot', whole(({uuid}) => `pat-na1-${uuid()}`)],
	['New Relic', whole(({upper}) => `NRAK-${upper(27)}`)],
	['Grafana', whole(({word, hex}) => `glsa_${word(32)}_${hex(8)}`)],
	['Sentry', whole(({hex}) => `sntryu_${hex(64)}`)],
	['SonarQube', whole(({hex}) => `squ_${hex(40)}`)],
	['Vault', whole(({word}) => `hvs.${word(90)}`)],
	['Doppler', whole(({word}) => `dp.pt.${word(43)}`)],
	['1Password', whole(({base64}) => `ops_eyJ${base64(200)}`)],
	['Tailscale', whole(({word}) => `tskey-auth-${word(16)}-${word(32)}`)],
	['Dynatrace', whole(({upper}) => `dt0c01.${upper(24)}.${upper(64)}`)],
	['Twitter', whole(({word}) => `${'A'.repeat(21)}${word(70)}`)],
	['JSON web token', whole(({base64}) => `eyJ${base64(34)}.eyJ${base64(60)}.${base64(43)}`)],
	['bcrypt', whole(({word}) => `$2b$12$${word(53)}`)],
	['age', whole(({upper}) => `AGE-SECRET-KEY-1${upper(58)}`)],
];

const names: readonly Form[] = [
	...[
		'DB_PASS=#',
		'DB_PASSWORD="#"',
		"export PGPASSWORD='#'",
		'x-api-key: #',
		'X-Auth-Token: #',
		'"apiKey": "#"',
		"{'client_secret': '#'}",
		'password => #',
		"'password' => '#',",
		'token := "#"',
		'password: #',
		'secret = #',
		'spring.datasource.password=#',
		'secret: db_password: #',
		'auth -> api_key: #',
		'error: invalid credentials: password: #',
		'const dbPassword = "#";',
		'let apiToken: string = `#`;',
		'self.secret_key = b"#"',
		'os.environ["API_TOKEN"] = "#"',
		'$env:MY_SECRET = "#"',
		'set -x GITHUB_TOKEN #',
		'setx API_KEY #',
		'ENV ACCESS_TOKEN #',
		'app --password #',
		'app --password=# --user me',
		"app --api-key '#'",
		'app --token \\\n    #',
		'keytool -storepass #',
		'//registry.npmjs.org/:_authToken=#',
		'_auth=#',
		'_password = #',
		'<password>#</password>',
		'<add key="apiKey" value="#"/>',
		'<input name="password" value="#">',
		'{"name": "DB_PASSWORD", "value": "#"}',
		'- name: DB_PASSWORD\n  value: #',
		'password: |\n  #\n',
		'Server=s;User Id=u;Password=#;Encrypt=true',
		'Server=s;Pwd=#;',
		'https://api.example.com/v1?access_token=#&page=2',
		'user=me&password=#&next=1',
		"CREATE USER me IDENTIFIED BY '#';",
		"ALTER ROLE me WITH PASSWORD '#';",
		'requirepass #',
		'setPassword("#")',
		'login("me", password="#")',
		'("password", "#")',
		'["secret_token", "#"]',
		'passphrase: "#"',
		'my password is #',
		'the password: #, as always',
		'"passwords": ["#"]',
		'PRESHARED_KEY = #',
		'webhook_secret="#"',
		'jwtSecret: "#",',
		'ENCRYPTION_KEY=#',
		'sessionCookie = "#"',
		'Pass: #',
		'adminpwd=#',
		'credential: #',
		'+DB_PASS=#',
		'-  password: "#"',
		'    12\tDB_PASS=#',
		'src/.env:12:DB_PASS=#',
		'src/.env-13-DB_PASS=#',
		'  12: token = "#"',
		'@@ -1,2 +1,2 @@\n-DB_PASS=old\n+DB_PASS=#',
		'{"env":{"DB_PASS":"#"}}',
		'{"a":"{\\"password\\":\\"#\\"}"}',
		'{"a":"{\\"b\\":\\"{\\\\\\"password\\\\\\":\\\\\\"#\\\\\\"}\\"}"}',
		'printf "DB_PASS=#\\nX=1"',
		'password: "#',
		'private_key_passphrase: >-\n    #\n',
		"const password = process.env.PASSWORD || '#';",
		'const password = options.password ?? "#";',
		'password = os.environ.get("PASSWORD") or "#"',
		'char password[] = "#";',
		'let password: &str = "#";',
		'let password = String::from("#");',
		'password <- "#"',
		'{"password":{"value":"#"}}',
		'<password><![CDATA[#]]></password>',
		'<setting name="Password"><value>#</value></setting>',
		'<meta-data android:name="api_key" android:value="#"/>',
		'- key: DB_PASS\n  value: #',
		"+- name: DB_PASS\n+  value: '#'",
		"gh secret set DB_PASS --body '#'",
		'aws ssm put-parameter --name /x/password --value # --type SecureString',
		'пароль: #',
		'wachtwoord: #',
	].map((text): Form => [text, around(text)]),
	['brackets', around('DB_PASS=#', ({word}) => `a(${word(5)})[9]{x}${word(3)}`)],
	['blanks', around('DB_PASS="#"', ({word}) => `${word(6)} ${word(7)} ${word(5)}`)],
	['words', around("password: '#'", ({word}) => `correct horse ${word(8)} staple`)],
	['escaped quote', around('{"password":"#"}', ({word}) => `${word(6)}\\"${word(6)}`)],
	[
		'unicode escape',
		maker => {
			const secret = maker.word(12);
			return {
				text: `{"password":"\\u${secret.charCodeAt(0).toString(16).padStart(4, '0')}${secret.slice(1)}"}`,
				secret: secret.slice(1),
			};
		},
	],
	['digits', around('{"password": #, "a": 1}', ({digits}) => digits(10))],
	['pin', around('pin: #', ({digits}) => digits(8))],
	['random key', around('STRIPE_KEY=#', ({word}) => word(32))],
	['uuid', around('HEROKU_API_KEY=#', ({uuid}) => uuid())],
	['hex', around('DD_API_KEY: #', ({hex}) => hex(32))],
	['letters', around('DB_PASS=#', ({word}) => `swordfish${word(12).replaceAll(/\d/g, 'x').toLowerCase()}`)],
];

const places: readonly Form[] = [
	...[
		'postgres://admin:#@db.example/x',
		'mysql://root:#@tcp(127.0.0.1:3306)/x',
		'redis://:#@localhost:6379/0',
		'https://me:#@github.com/a/b.git',
		'jdbc:oracle:thin:scott/#@//db:1521/x',
		'root:#@tcp(127.0.0.1:3306)/db',
		'Authorization: Bearer #',
		'Authorization: Basic #',
		'authorization: Token #',
		'Authorization: ApiKey #',
		'-H "Authorization: #"',
		"headers: {'Authorization': 'Bearer #'}",
		'{"Authorization": "Bearer #"}',
		'Proxy-Authorization: Basic #',
		'Cookie: sid=#',
		'Cookie: a=1; sid=#; b=2',
		'Set-Cookie: session=#; Path=/; HttpOnly',
		"curl -b 'sid=#' https://example.com",
		'machine example.com login me password #',
		'machine example.com\n  login me\n  password #\n',
		'+machine example.com\n+  login me\n+  password #',
		'db.example:5432:app:me:#',
		'mysql -u root -p# app',
		'sshpass -p # ssh host',
		'docker login -u me -p # registry.example',
		'redis-cli -h host -a # ping',
		'ldapsearch -x -D cn=me -w # -b dc=x',
		'curl -u me:# https://example.com',
		'curl --user "me:#" https://example.com',
		'unzip -P # a.zip',
		'7z x -p# a.7z',
		'htpasswd -b file me #',
		'openssl rsa -passin pass:# -in k',
		'echo "root:#" | chpasswd',
		"echo '#' | docker login --password-stdin",
		'echo # | sudo -S true',
		'sqlplus scott/#@db',
		'ConvertTo-SecureString "#" -AsPlainText',
		'net user me # /add',
		'+curl -u me:# https://example.com',
		"src/a.sh:12:mysqldump -u root -p'#' app",
		'podman login -u me -p=# registry.example',
		"unzip -P'#' a.zip",
		'ldapsearch -x -D cn=me -w# -b dc=x',
		'snmpwalk -v3 -A # host',
		'htpasswd -nb me #',
		'lftp -u me,# host',
		'rdesktop -u me -p # host',
		"sudo -S id <<< '#'",
		"passwd --stdin me <<< '#'",
		"echo '#' | gpg --passphrase-fd 0 -d a.gpg",
		'xfreerdp /u:me /p:# /v:host',
		"SET PASSWORD FOR 'me'@'host' = '#'",
		'{"name":"Cookie","value":"sid=#"}',
	].map((text): Form => [text, around(text)]),
	['slash', around('postgres://u:#@db.example/x', ({word}) => `${word(4)}/${word(4)}x`)],
	['at', around('postgres://u:#@db.example/x', ({word}) => `${word(4)}@${word(4)}!`)],
	['bracket', around('postgres://u:#@db.example/x', ({word}) => `${word(4)}[${word(4)}]`)],
	['token in address', around('https://#@o1.ingest.sentry.io/1', ({hex}) => hex(32))],
	['token as a user', around('https://#:x-oauth-basic@github.com/a/b', ({hex}) => hex(40))],
	[
		'bot in an address',
		around('https://api.telegram.org/#/getMe', ({digits, word}) => `bot${digits(10)}:AA${word(33)}`),
	],
	['docker auth', around('{"auths":{"r":{"auth":"#"}}}', ({base64}) => base64(40))],
	['JWK', around('{"kty":"EC","d":"#"}', ({base64}) => base64(43))],
];

const keyBody = ({base64}: Maker) => Array.from({length: 6}, () => base64(64));
const key = (write: (lines: readonly string[]) => string, kind = 'RSA PRIVATE KEY'): ((make: Maker) => Planted) => {
	return make => {
		const lines = keyBody(make);
		const [begin, end] = ['BEGIN', 'END'].map(word => `-----${word} ${kind}-----`);
		return {text: write([begin ?? '', ...lines, end ?? '']), secret: lines[3] ?? ''};
	};
};

const keys: readonly Form[] = [
	['PEM', key(lines => lines.join('\n'))],
	['PKCS 8', key(lines => lines.join('\n'), 'PRIVATE KEY')],
	['OpenSSH', key(lines => lines.join('\n'), 'OPENSSH PRIVATE KEY')],
	['PGP', key(([begin = '', ...lines]) => [begin, 'Version: 1', '', ...lines].join('\n'), 'PGP PRIVATE KEY BLOCK')],
	[
		'encrypted',
		key(([begin = '', ...lines]) =>
			[begin, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,AB', '', ...lines].join('\n'),
		),
	],
	['cut key', key(lines => `${lines.slice(0, -1).join('\n')}\n[...truncated, 9999 bytes total]`)],
	['key without its start', key(lines => lines.slice(1).join('\n'))],
	['escaped key', key(lines => `KEY="${lines.join('\\n')}"`)],
	['JSON key', key(lines => JSON.stringify({k: `${lines.join('\n')}\n`}))],
	['JSON in JSON key', key(lines => JSON.stringify({a: JSON.stringify({k: lines.join('\r\n')})}))],
	['numbered key', key(lines => lines.map((line, index) => `${index + 1}\t${line}`).join('\n'))],
	['key in a diff', key(lines => lines.map(line => `+${line}`).join('\n'))],
	['key in a search', key(lines => lines.map((line, index) => `id_rsa:${index + 1}:${line}`).join('\n'))],
	['key in a program', key(lines => lines.map(line => `  "${line}\\n" +`).join('\n'))],
	['indented key', key(lines => lines.map(line => `    ${line}`).join('\n'))],
	['quoted key', key(lines => lines.map(line => `> ${line}`).join('\n'))],
	[
		'PuTTY',
		make => {
			const lines = keyBody(make);
			return {
				text: [
					'PuTTY-User-Key-File-3: ssh-rsa',
					'Private-Lines: 6',
					...lines,
					`Private-MAC: ${make.hex(64)}`,
				].join('\n'),
				secret: lines[3] ?? '',
			};
		},
	],
];

export const forms: readonly Form[] = [...services, ...names, ...places, ...keys];
