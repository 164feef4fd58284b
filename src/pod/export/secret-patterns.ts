/** A kind of secret. `name` names it for people. `pattern` finds it; with a group, only the group is the secret. */
export type SecretPattern = {readonly name: string; readonly pattern: RegExp};

const keyName = '[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?';
/** A quote, which is escaped in a text that is JSON. */
const quoted = String.raw`\\?["']?`;

function joined(flags: string, ...parts: readonly string[]): RegExp {
	return new RegExp(parts.join(''), flags);
}

/**
The secrets that an export leaves out. The forms are those that the providers document and that secret scanners use
(docs.github.com/code-security/secret-scanning, gitleaks.io). Each is bounded, so that a search takes linear time.
The order matters: a more exact form comes before a more general one.
*/
export const secretPatterns: readonly SecretPattern[] = [
	{
		name: 'private key',
		pattern: joined('g', `-----BEGIN ${keyName}-----`, '[^-]{0,20000}', `(?:-----END ${keyName}-----)?`),
	},
	{name: 'age key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g},
	{name: 'Anthropic key', pattern: /\bsk-ant-[\w-]{16,200}/g},
	{name: 'OpenRouter key', pattern: /\bsk-or-(?:v1-)?[\w-]{20,200}/g},
	{name: 'OpenAI key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{20,250}/g},
	{name: 'Google API key', pattern: /\bAIza[\w-]{30,45}/g},
	{name: 'Google OAuth token', pattern: /\bya29\.[\w-]{20,400}/g},
	{name: 'Google OAuth secret', pattern: /\bGOCSPX-[\w-]{20,40}/g},
	{name: 'AWS key id', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g},
	{
		name: 'AWS secret key',
		pattern:
			/\baws_?(?:secret)?_?(?:access)?_?key(?:_id)?\\?["']?\s{0,5}[:=]\s{0,5}\\?["']?([A-Za-z0-9/+]{40})\b/gi,
	},
	{name: 'Azure storage key', pattern: /\bAccountKey=([A-Za-z0-9+/]{60,100}={0,2})/g},
	{name: 'GitHub token', pattern: /\b(?:gh[pousr]_\w{30,255}|github_pat_\w{22,255})/g},
	{name: 'GitLab token', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w.-]{20,300}/g},
	{name: 'Slack token', pattern: /\bxox[abeoprs]-[\w-]{10,250}/g},
	{name: 'Slack app token', pattern: /\bxapp-\d-[\w-]{10,250}/g},
	{name: 'Slack webhook', pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/([\w/+-]{20,150})/g},
	{name: 'Discord webhook', pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/([\w/-]{20,150})/g},
	{name: 'Discord token', pattern: /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}/g},
	{name: 'Stripe key', pattern: /\b(?:sk|rk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,250}/g},
	{name: 'Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g},
	{name: 'SendGrid key', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/g},
	{name: 'Mailgun key', pattern: /\bkey-[0-9a-f]{32}\b/g},
	{name: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g},
	{name: 'PyPI token', pattern: /\bpypi-[\w-]{50,300}/g},
	{name: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,60}\b/g},
	{name: 'Groq key', pattern: /\bgsk_\w{20,100}/g},
	{name: 'xAI key', pattern: /\bxai-[\w-]{20,150}/g},
	{name: 'Perplexity key', pattern: /\bpplx-[A-Za-z0-9]{30,100}/g},
	{name: 'Replicate token', pattern: /\br8_[A-Za-z0-9]{30,60}\b/g},
	{name: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[0-9a-f]{64}\b/g},
	{name: 'Databricks token', pattern: /\bdapi[0-9a-f]{32}\b/g},
	{name: 'Telegram bot token', pattern: /\b\d{8,10}:AA[\w-]{32,34}\b/g},
	{name: 'Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g},
	{name: 'Linear key', pattern: /\blin_(?:api|oauth)_\w{32,80}/g},
	{name: 'Notion token', pattern: /\b(?:ntn_|secret_)[A-Za-z0-9]{40,60}\b/g},
	{name: 'Vault token', pattern: /\bhv[bsr]\.[\w-]{24,300}/g},
	{name: 'Doppler token', pattern: /\bdp\.(?:pt|st|ct|sa)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,50}/g},
	{name: 'JSON web token', pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}/g},
	{
		name: 'password in an address',
		pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>\\]{0,100}:([^\s/@"'<>\\]{1,200})@/gi,
	},
	{
		name: 'authorization header',
		pattern: joined(
			'gi',
			String.raw`\bauthorization${quoted}\s{0,5}[:=]\s{0,5}${quoted}`,
			String.raw`(?:bearer|basic|token)\s{1,5}([\w.~+/=-]{8,2000})`,
		),
	},
	{
		name: 'password or token',
		pattern: joined(
			'gi',
			String.raw`\b[\w.-]{0,60}(?:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key)`,
			String.raw`[\w.-]{0,20}${quoted}\s{0,5}[:=]\s{0,5}${quoted}`,
			String.raw`([^\s"'\\,;<>(){}[\]$]{8,500})(?=[\s"'\\,;<>)}\]]|$)`,
		),
	},
];
