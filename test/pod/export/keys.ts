/** Kinds of secrets with an example of each, in two halves, so that no scanner of this repository takes it for one. */
const halves: ReadonlyArray<readonly [name: string, first: string, second: string]> = [
	['Anthropic key', 'sk-ant-api03-abcdefghijklm', 'nopqrstuvwxyz0123456789ABCD'],
	['OpenRouter key', 'sk-or-v1-0123456789abcdef0123456789a', 'bcdef0123456789abcdef0123456789abcdef'],
	['OpenAI key', 'sk-proj-abcdefghijklmnopqrst', 'uvwxyz0123456789ABCDEFGHIJKL'],
	['Google API key', 'AIzaabcdefghijklmno', 'pqrstuvwxyz012345678'],
	['Google OAuth token', 'ya29.abcdefghijklmnopqrstuv', 'wxyz0123456789ABCDEFGHIJKLMN'],
	['Google OAuth secret', 'GOCSPX-abcdefghij', 'klmnopqrstuvwxyz01'],
	['AWS key id', 'AKIAABCDEF', 'GHIJ234567'],
	['AWS secret key', 'aws_secret_access_key = abcdefgh', 'ijklmnopqrstuvwxyz0123456789ABCD'],
	[
		'Azure storage key',
		'AccountKey=abcdefghijklmnopqrstuvwxyz0123456789AB',
		'CDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx==',
	],
	['GitHub token', 'ghp_abcdefghijklmnop', 'qrstuvwxyz0123456789'],
	[
		'GitHub token',
		'github_pat_abcdefghijklmnopqrstuv_abcdefghijkl',
		'mnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVW',
	],
	['GitLab token', 'glpat-abcdefg', 'hijklmnopqrst'],
	['Slack token', 'xoxb-123456789012-abc', 'defghijklmnopqrstuvwx'],
	['Slack app token', 'xapp-1-A0123-abcdefgh', 'ijklmnopqrstuvwxyz0123'],
	['Slack webhook', 'https://hooks.slack.com/services/T0000', '0000/B00000000/abcdefghijklmnopqrstuvwx'],
	[
		'Discord webhook',
		'https://discord.com/api/webhooks/123456789012345678/abcd',
		'efghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWX',
	],
	['Discord token', 'Mabcdefghijklmnopqrstuvw.abcd', 'ef.abcdefghijklmnopqrstuvwxyz0'],
	['Stripe key', 'sk_live_abcdefgh', 'ijklmnopqrstuvwx'],
	['Twilio key', 'SK0123456789abcde', 'f0123456789abcdef'],
	['SendGrid key', 'SG.abcdefghijklmnopqrstuv.abcdefgh', 'ijklmnopqrstuvwxyz0123456789ABCDEFG'],
	['Mailgun key', 'key-0123456789abcd', 'ef0123456789abcdef'],
	['npm token', 'npm_abcdefghijklmnop', 'qrstuvwxyz0123456789'],
	['PyPI token', 'pypi-AgEIcHlwaS5vcmcabcdefghijklmno', 'pqrstuvwxyz0123456789ABCDEFGHIJKLMN'],
	['Hugging Face token', 'hf_abcdefghijklmno', 'pqrstuvwxyz01234567'],
	['Groq key', 'gsk_abcdefghijklmnopqrstuvwx', 'yz0123456789ABCDEFGHIJKLMNOP'],
	['xAI key', 'xai-abcdefghijklmnopqrstuvwxyz01', '23456789ABCDEFGHIJKLMNOPQRSTUVWX'],
	['Perplexity key', 'pplx-abcdefghijklmnopqrstu', 'vwxyz0123456789ABCDEFGHIJKL'],
	['Replicate token', 'r8_abcdefghijklmnopq', 'rstuvwxyz0123456789A'],
	['DigitalOcean token', 'dop_v1_0123456789abcdef0123456789ab', 'cdef0123456789abcdef0123456789abcdef'],
	['Databricks token', 'dapi0123456789abcd', 'ef0123456789abcdef'],
	['Telegram bot token', '123456789:AAabcdefghij', 'klmnopqrstuvwxyz0123456'],
	['Shopify token', 'shpat_0123456789abc', 'def0123456789abcdef'],
	['Linear key', 'lin_api_abcdefghijklmnop', 'qrstuvwxyz0123456789ABCD'],
	['Notion token', 'ntn_abcdefghijklmnopqrstu', 'vwxyz0123456789ABCDEFGHIJ'],
	['Vault token', 'hvs.abcdefghijklm', 'nopqrstuvwxyz0123'],
	['Doppler token', 'dp.pt.abcdefghijklmnopqr', 'stuvwxyz0123456789ABCDEFG'],
	[
		'JSON web token',
		'eyJabcdefghijklmnopqrst.eyJabcdefghijklmnopqrstuvw',
		'xyz0123.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
	],
	['password in an address', 'postgres://admin:hunte', 'r2hunter2@db.example/x'],
	['authorization header', 'Authorization: Bearer abcd', 'efghijklmnopqrstuvwxyz0123'],
	['password or token', 'DB_PASSWORD=h', 'unter2hunter2'],
	['age key', 'AGE-SECRET-KEY-1QPZRY9X8GF2TVDW0S3JN5', '4KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE'],
];

const body = 'MIIEowIBAAKCAQEAx0123456789abcdefghijklmnop'.repeat(8);

export const keys: ReadonlyArray<readonly [name: string, key: string]> = [
	...halves.map(([name, first, second]) => [name, first + second] as const),
	[
		'private key',
		['-----BEGIN RSA PRIVATE', 'KEY-----\n'].join(' ') + body + ['\n-----END RSA PRIVATE', 'KEY-----'].join(' '),
	],
];

/** Returns the part of an example that is secret. */
export function secretOf(key: string): string {
	const [, found = key] = /(?:[:=]\s*|Bearer |admin:)([\w+/-]{14,}={0,2})(?:@|$)/.exec(key) ?? [];
	return key.startsWith('-----') ? body : key.startsWith('https://') ? key.slice(-20) : found;
}
