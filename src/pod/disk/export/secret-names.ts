/**
Which values of a name are secrets. `password`: all values. `token`: values that are not plain words. `key`: values that
look random.
*/
export type NameClass = 'password' | 'token' | 'key';

/** Returns the class of a name, or `undefined` if its value is not a secret. */
export function classOf(name: string): NameClass | undefined {
	const known = classes.get(name);
	if (known !== undefined || classes.has(name)) return known;
	if (classes.size >= maxKnown) classes.clear();
	const found = otherLanguages.test(name) ? 'password' : classify(wordsOf(name));
	classes.set(name, found);
	return found;
}

/** Returns the words of a name in lower case. */
export function wordsOf(name: string): readonly string[] {
	return name
		.replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
		.replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter(word => word !== '');
}

/** The word for a password in other languages. */
const foreign =
	'senha|contraseña|пароль|wachtwoord|lösenord|hasło|kennwort|salasana|adgangskode|heslo|jelszó|şifre|parola' +
	'|パスワード|密码|密碼|口令|비밀번호';

/** Matches a word at which the search for a name begins. The names of every class contain such a word. */
export const nameStart = new RegExp(
	`pass|pwd|psw|psk|pw(?![a-z])|${foreign}` +
		'|secret|token|key|auth|cred|cookie|bearer|jwt|session|signature|salt|seed|mnemonic|otp|dsn' +
		String.raw`|conn(?:ection)?_?str|(?:\b|_)(?:pin|pat)\b`,
	'gi',
);

const otherLanguages = new RegExp(`^(?:(?:haupt)?(?:passwort|kennwort)|mot ?de ?passe|passe|passord|${foreign})$`, 'i');

function classify(words: readonly string[]): NameClass | undefined {
	const last = words.findLastIndex(word => classOfWord(word) !== undefined);
	const rest = words.slice(last + 1);
	const word = words[last];
	// `credentials.ts` handles the values of these headers.
	if (word === undefined || /^(?:(?:proxy )?authorization|(?:set )?cookies?)$/.test(words.join(' ')))
		return undefined;
	// `pwd` is also the name of the working directory.
	if (words.length === 1 && word === 'pwd') return 'key';
	if (rest.some(each => harmless.has(each))) return undefined;
	const two = `${words[last - 1] ?? ''} ${word}`;
	const own = classOfWord(word);
	if (own !== 'key') return rest.every(each => neutral.has(each)) ? own : 'key';
	const isWhole = secretKeys.has(two) || secretKeys.has(word);
	return isWhole && rest.every(each => neutral.has(each)) ? 'token' : 'key';
}

function classOfWord(word: string): NameClass | undefined {
	if (
		/^(?:[a-z]{0,20}(?:passwords?|passwd|passphrase|passcode)|[a-z]{0,10}(?:pwd|pass|pw)|psw|psk|passw|pw)$/.test(
			word,
		)
	)
		return notPass.has(word) ? undefined : 'password';
	if (/^[a-z]{0,20}(?:secrets?|tokens?|apikey|jwt|credential|cookie)$/.test(word)) return 'token';
	return keyWords.has(word) || /^[a-z]{1,20}(?:key|token|secret)s?$/.test(word) ? 'key' : undefined;
}

/** Words that end with `pass` and have another meaning. */
const notPass: ReadonlySet<string> = new Set([
	'bypass',
	'compass',
	'surpass',
	'trespass',
	'encompass',
	'overpass',
	'oldpwd',
	'askpass',
]);

const keyWords: ReadonlySet<string> = new Set([
	...[
		'key',
		'keys',
		'auth',
		'authorization',
		'bearer',
		'session',
		'sessionid',
		'signature',
		'salt',
		'seed',
		'mnemonic',
	],
	...['otp', 'pin', 'dsn', 'connstr', 'pat', 'credentials', 'cookies', 'creds'],
	'cred',
	'passwordsalt',
]);

/** Names whose value is a secret even if it is short. */
const secretKeys: ReadonlySet<string> = new Set([
	...[
		'api key',
		'access key',
		'secret key',
		'private key',
		'signing key',
		'encryption key',
		'master key',
		'auth key',
	],
	...[
		'account key',
		'shared key',
		'preshared key',
		'service key',
		'deploy key',
		'license key',
		'storage key',
		'app key',
	],
	...['application key', 'client key', 'consumer key', 'subscription key', 'session key', 'admin key', 'root key'],
	...[
		'functions key',
		'upgrade key',
		'db key',
		'webhook key',
		'server key',
		'write key',
		'read key',
		'host key',
		'ssh key',
		'stripe key',
	],
	...['apikey', 'secretkey', 'accesskey', 'privatekey', 'authkey', 'accountkey', 'presharedkey', 'sharedkey', 'auth'],
	...[
		'x auth',
		'http auth',
		'proxy auth',
		'authorization',
		'credentials',
		'creds',
		'mnemonic',
		'seed phrase',
		'otp',
		'pin',
	],
	...['session id', 'sessionid', 'encryptionkey', 'signingkey', 'masterkey', 'licensekey', 'pat'],
]);

/** Words that may follow the secret word. A name with such a word still means the secret itself. */
const neutral: ReadonlySet<string> = new Set([
	...[
		'value',
		'text',
		'hash',
		'base',
		'b',
		'hex',
		'raw',
		'plain',
		'plaintext',
		'old',
		'new',
		'current',
		'previous',
		'next',
	],
	...[
		'confirm',
		'confirmation',
		'repeat',
		'again',
		'prod',
		'production',
		'dev',
		'development',
		'test',
		'testing',
		'staging',
	],
	...[
		'live',
		'local',
		'default',
		'primary',
		'secondary',
		'backup',
		'admin',
		'root',
		'user',
		'db',
		'data',
		'main',
		'master',
	],
	...['string', 'encoded', 'encrypted', 'read', 'write', 'ro', 'rw', 'a', 'c', 'v', 'x', 'one', 'two'],
]);

/** Words that change the meaning: the name then means a property of the secret. */
const harmless: ReadonlySet<string> = new Set([
	...[
		'count',
		'counts',
		'limit',
		'limits',
		'type',
		'types',
		'name',
		'names',
		'file',
		'files',
		'filename',
		'path',
		'paths',
	],
	...[
		'url',
		'urls',
		'uri',
		'endpoint',
		'host',
		'length',
		'size',
		'field',
		'fields',
		'policy',
		'expires',
		'expiry',
		'ttl',
	],
	...[
		'expiration',
		'usage',
		'rate',
		'budget',
		'per',
		'header',
		'headers',
		'prefix',
		'suffix',
		'format',
		'pattern',
		'regex',
	],
	...[
		'manager',
		'provider',
		'providers',
		'store',
		'storage',
		'label',
		'title',
		'description',
		'placeholder',
		'message',
	],
	...[
		'error',
		'errors',
		'required',
		'optional',
		'enabled',
		'disabled',
		'exists',
		'valid',
		'invalid',
		'stdin',
		'prompt',
	],
	...[
		'command',
		'helper',
		'mode',
		'method',
		'scheme',
		'algorithm',
		'version',
		'index',
		'ids',
		'at',
		'date',
		'time',
		'env',
	],
	...[
		'var',
		'variable',
		'variables',
		'rotation',
		'scanning',
		'scope',
		'scopes',
		'status',
		'state',
		'max',
		'min',
		'map',
	],
	...['list', 'set', 'schema', 'class', 'service', 'handler', 'factory', 'parser', 'reader', 'ring', 'board', 'down'],
	...['up', 'press', 'frames', 'ref', 'fingerprint', 'owner', 'username', 'through', 'over', 'word', 'words'],
]);

const classes = new Map<string, NameClass | undefined>();
const maxKnown = 20_000;
