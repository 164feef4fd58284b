import type {Finding} from './finding.ts';

/**
A kind of key. `form`: the source of a regular expression. If it has a group (at most one), the group is the secret.
*/
type ServiceKey = readonly [name: string, form: string];

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const hex = (count: number) => `[0-9a-f]{${count}}`;

/**
The forms of keys, from the documentation of their services and from secret scanners
(docs.github.com/code-security/secret-scanning, gitleaks.io). Each form has a limited length, so that a search takes
linear time. The order matters: a more exact form comes before a more general form.
*/
const serviceKeys: readonly ServiceKey[] = [
	['age key', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'],
	['age key', 'AGE-SECRET-KEY-PQ-1[0-9A-Z]{50,100}'],
	['Anthropic key', String.raw`sk-ant-[\w-]{16,200}`],
	['OpenRouter key', String.raw`sk-or-(?:v1-)?[\w-]{20,200}`],
	['Langfuse key', `sk-lf-${uuid}`],
	['OpenAI key', String.raw`sk-(?:proj-|svcacct-|admin-|None-)?(?=[\w-]{0,200}\d)[\w-]{20,250}`],
	['Google API key', String.raw`AIza[\w-]{30,45}`],
	['Google OAuth token', String.raw`ya29\.[\w-]{20,400}`],
	['Google OAuth secret', String.raw`GOCSPX-[\w-]{20,40}`],
	['Google refresh token', String.raw`1//0[\w-]{38,120}`],
	['AWS key id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
	['AWS Bedrock key', '(?:ABSK[A-Za-z0-9+/]{80,300}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{40,2000}={0,2})'],
	['AWS signature', String.raw`X-Amz-(?:Signature|Security-Token)=([\w%/+=-]{16,2000})`],
	['Azure client secret', String.raw`[\w~.-]{3}\dQ~[\w~.-]{31,34}`],
	['Azure storage key', '(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})'],
	['Azure signature', String.raw`sig=([\w%+/-]{40,100}(?:=|%3D){0,2})`],
	['GitHub token', String.raw`gh[pousr]_\w{30,255}`],
	['GitHub token', String.raw`github_pat_\w{22,255}`],
	[
		'GitLab token',
		String.raw`(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|oas|wt)-[\w.-]{20,300}|GR1348941[\w-]{20,40})`,
	],
	['Bitbucket token', String.raw`ATBB[\w=]{24,60}|ATCTT3[\w=-]{60,300}`],
	['Atlassian token', String.raw`ATATT3[\w=-]{60,300}`],
	['Slack token', String.raw`xox[abceoprs](?:\.xox[bp])?-[\w-]{10,400}`],
	['Slack app token', String.raw`xapp-\d-[\w-]{10,250}`],
	['Slack webhook', String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{20,150})`],
	['Discord webhook', String.raw`discord(?:app)?\.com/api/webhooks/([\w/-]{20,150})`],
	['Teams webhook', String.raw`webhook\.office\.com/(webhookb2/[\w@/-]{60,300})`],
	['Zapier webhook', String.raw`hooks\.zapier\.com/hooks/catch/([\w/]{10,60})`],
	['Discord token', String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}`],
	['Stripe key', '(?:[srp]k|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,250}'],
	['Twilio key', `SK${hex(32)}`],
	['SendGrid key', String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`],
	['Mailgun key', `(?:key-${hex(32)}|${hex(32)}-${hex(8)}-${hex(8)})`],
	['Mailchimp key', String.raw`${hex(32)}-us\d{1,2}`],
	['Brevo key', `x(?:keysib|smtpsib)-${hex(64)}-[A-Za-z0-9]{10,20}`],
	['Resend key', String.raw`re_(?=[A-Za-z0-9]{0,8}\d|\w{0,30}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}`],
	['npm token', 'npm_[A-Za-z0-9]{36}'],
	['PyPI token', String.raw`pypi-[\w-]{50,300}`],
	['RubyGems key', `rubygems_${hex(48)}`],
	['crates.io token', 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
	['NuGet key', 'oy2[a-z0-9]{43}'],
	['Clojars token', 'CLOJARS_[0-9a-z]{50,64}'],
	['Docker token', String.raw`dckr_(?:pat|oat)_[\w-]{20,60}`],
	['JFrog key', 'AKCp[A-Za-z0-9]{60,80}|cmVmdGtuO[A-Za-z0-9]{50,80}'],
	['Hugging Face token', '(?:hf|api_org)_[A-Za-z0-9]{30,60}'],
	['Groq key', String.raw`gsk_\w{20,100}`],
	['xAI key', String.raw`xai-[\w-]{20,150}`],
	['Perplexity key', 'pplx-[A-Za-z0-9]{30,100}'],
	['Replicate token', 'r8_[A-Za-z0-9]{30,60}'],
	['NVIDIA key', String.raw`nvapi-[\w-]{40,100}`],
	['Cerebras key', String.raw`csk-[a-z0-9]{40,60}`],
	['Fireworks key', 'fw_[A-Za-z0-9]{20,40}'],
	['Together key', String.raw`tgp_v1_[\w-]{30,60}`],
	['Voyage key', String.raw`pa-[\w-]{40,60}(?![\w-])`],
	['Jina key', 'jina_[A-Za-z0-9]{40,80}'],
	['Tavily key', String.raw`tvly-[\w-]{20,60}`],
	['LangSmith key', `lsv2_(?:pt|sk)_${hex(32)}(?:_${hex(10)})?`],
	['Pinecone key', String.raw`pcsk_\w{40,90}`],
	['Weights & Biases key', String.raw`wandb_v1_\w{40,100}`],
	['DigitalOcean token', `do[opr]_v1_${hex(64)}`],
	['Databricks token', `dapi${hex(32)}`],
	['Heroku key', String.raw`HRKU-[\w-]{30,80}`],
	['Fly.io token', String.raw`f[mo][12]_[\w+/=-]{30,1000}`],
	['Netlify token', 'nfp_[A-Za-z0-9]{36,40}'],
	['Supabase key', String.raw`sb(?:p_${hex(40)}|_secret_[\w-]{20,60})`],
	['PlanetScale key', String.raw`pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}`],
	['Neon key', 'napi_[a-z0-9]{40,80}'],
	['Render key', 'rnd_[A-Za-z0-9]{28,40}'],
	['Scaleway key', 'SCW[A-Z0-9]{17}(?![A-Za-z0-9])'],
	['Terraform token', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`],
	['Pulumi token', `pul-${hex(40)}`],
	['Cloudflare key', String.raw`v1\.0-${hex(24)}-[0-9a-f]{140,150}`],
	['Alibaba key id', 'LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])'],
	['Tencent key id', 'AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
	['Yandex key', String.raw`(?:AQVN[\w-]{35,38}|y[0-3]_[\w-]{50,60}|t1\.[\w-]{20,400}\.[\w-]{80,90}={0,2})`],
	['Telegram bot token', String.raw`(?:bot)?\d{8,10}:AA[\w-]{32,34}`],
	['Shopify token', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
	['Square token', String.raw`(?:sq0[a-z]{3}-[\w-]{22,50}|EAAA[\w-]{56,64})`],
	['Braintree token', String.raw`access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$${hex(32)}`],
	['Plaid token', `access-(?:sandbox|development|production)-${uuid}`],
	['Flutterwave key', String.raw`FLWSECK(?:_TEST)?-[\w-]{12,60}`],
	['EasyPost key', 'EZ[AT]K[A-Za-z0-9]{54}'],
	['Shippo token', `shippo_(?:live|test)_${hex(40)}`],
	['Duffel token', String.raw`duffel_(?:test|live)_[\w=-]{40,50}`],
	['Lob key', `(?:live|test)_${hex(35)}`],
	['Linear key', String.raw`lin_(?:api|oauth)_\w{32,80}`],
	['Notion token', '(?:ntn_|secret_)[A-Za-z0-9]{40,60}'],
	['Airtable token', String.raw`pat[A-Za-z0-9]{14}\.${hex(64)}`],
	['Asana token', String.raw`[12]/\d{10,20}(?:/\d{10,20})?:${hex(32)}`],
	['Figma token', String.raw`fig[dour]_[\w-]{30,60}`],
	['Postman key', `PMAK-${hex(24)}-${hex(34)}`],
	['Dropbox token', String.raw`sl\.(?:u\.)?[\w-]{100,1200}`],
	['Typeform token', String.raw`tfp_[\w.=-]{40,70}`],
	['HubSpot token', `pat-(?:na|eu|ap)\\d-${uuid}`],
	['Contentful token', String.raw`CFPAT-[\w-]{43}`],
	['Facebook token', 'EAA[A-Za-z0-9]{80,300}|IGQ[A-Za-z0-9_-]{80,300}'],
	['Twitter token', 'A{20}[A-Za-z0-9%]{50,120}'],
	['Firebase key', String.raw`AAAA[\w-]{7}:APA91b[\w-]{100,180}`],
	['New Relic key', String.raw`NR(?:AK|II|IQ|RA|JS|SP|BR)-[\w-]{19,50}`],
	['Grafana token', String.raw`gl(?:c_[A-Za-z0-9+/]{32,400}={0,2}|sa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8})`],
	['Sentry token', String.raw`sntry[su]_[\w+/=-]{40,400}`],
	['SonarQube token', `sq[apu]_${hex(40)}`],
	['Buildkite token', 'bk(?:ua|pat|at|ct)_[A-Za-z0-9]{30,60}'],
	['CircleCI token', String.raw`CCIPAT_\w{20,80}`],
	['LaunchDarkly key', `(?:sdk|api|mob)-${uuid}`],
	['Mapbox token', String.raw`sk\.eyJ[\w-]{20,200}\.[\w-]{20,40}`],
	['Vault token', String.raw`(?:hv[bsr]\.[\w-]{20,300}|[sb]\.[A-Za-z0-9]{24}(?![\w.]))`],
	['Doppler token', String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,50}`],
	['1Password token', String.raw`ops_eyJ[\w-]{50,2000}={0,2}`],
	['1Password secret key', 'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
	['Bitwarden token', String.raw`0\.${uuid}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,30}`],
	['Tailscale key', String.raw`tskey-[a-z]{2,20}-[\w-]{20,80}`],
	['Sourcegraph token', String.raw`sgp_(?:(?:local|${hex(16)})_)?${hex(40)}`],
	['Prefect key', 'pn[ub]_[A-Za-z0-9]{36}'],
	['ReadMe key', 'rdme_[a-z0-9]{70}'],
	['Infracost key', 'ico-[A-Za-z0-9]{32}'],
	['Adafruit key', 'aio_[A-Za-z0-9]{28}'],
	['WakaTime key', `waka_(?:sec_)?${uuid}`],
	['Frame.io token', String.raw`fio-u-[\w=-]{64}`],
	['Dynatrace token', String.raw`dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}`],
	['ClickUp token', String.raw`pk_\d{5,12}_[A-Z0-9]{32}`],
	['Trello token', `ATTA${hex(64)}[0-9A-F]{0,8}`],
	['Cal.com key', `cal_(?:live|test)_${hex(32)}`],
	['PostHog key', 'phx_[A-Za-z0-9]{40,60}'],
	['Honeycomb key', 'hc(?:aik|alk|bik|xik|xlk|aek)_[a-z0-9]{58,70}'],
	['Axiom token', `xa[ap]t-${uuid}`],
	['LlamaCloud key', 'llx-[A-Za-z0-9]{40,60}'],
	['E2B key', `e2b_${hex(40)}`],
	['Anyscale key', 'esecret_[A-Za-z0-9]{20,60}'],
	['dbt token', String.raw`dbt[cus]_[\w=-]{30,80}`],
	['Octopus key', 'API-(?=[A-Z]{0,32}[0-9])[A-Z0-9]{25,32}(?![A-Za-z0-9])'],
	['OpenShift token', String.raw`sha256~[\w-]{43}(?![\w-])`],
	['NATS seed', 'S[AUONCX][A-Z2-7]{56}(?![A-Z2-7])'],
	['JetBrains token', String.raw`perm[:-][\w=]{4,60}\.[\w=]{4,60}\.[A-Za-z0-9]{20,60}`],
	['Open VSX token', `ovsxat_${uuid}`],
	['Socket token', String.raw`sktsec_[\w-]{30,80}`],
	['Polar token', 'polar_[op]at_[A-Za-z0-9]{30,60}'],
	['RunPod key', 'rpa_[A-Z0-9]{30,40}[a-z0-9]{0,8}'],
	['Azure DevOps token', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}'],
	['Backblaze key', 'K00[0-9][A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])'],
	['Modal token', 'a[ks]-(?=[A-Za-z]{0,22}[0-9])[A-Za-z0-9]{22}(?![A-Za-z0-9_-])'],
	['fal key', `${uuid}:${hex(32)}`],
	['Anaconda token', `tk-${uuid}`],
	['K3s token', String.raw`K10${hex(64)}::\w{1,20}:[\w.-]{10,100}`],
	['Bitcoin key', '[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}'],
	['Nostr key', 'nsec1[02-9ac-hj-np-z]{58}'],
	['Infura key', String.raw`[\w-]{1,60}\.infura\.io/(?:ws/)?v3/(${hex(32)})`],
	[
		'Alchemy key',
		String.raw`(?:[\w-]{1,60}\.g\.alchemy\.com|[\w-]{1,60}\.alchemyapi\.io)/(?:nft/)?v[23]/([\w-]{20,60})`,
	],
	['IFTTT key', String.raw`maker\.ifttt\.com/trigger/[\w-]{1,80}/(?:json/)?with/key/([\w-]{16,60})`],
	['QuickNode key', String.raw`[\w.-]{1,100}\.quiknode\.pro/(${hex(40)})`],
	['Mattermost webhook', String.raw`[\w.-]{1,200}/hooks/(?=[a-z]{0,26}[0-9])([a-z0-9]{26})(?![\w-])`],
];

const names = serviceKeys.map(([name]) => name);

/**
One expression for all forms. Each form is a named group. If a form contains a group itself, this inner group is the
secret.
*/
const anyKey = new RegExp(
	`(?<![A-Za-z0-9_])(?:${serviceKeys.map(([, form], index) => `(?<k${index}>${ownGroup(form, index)})`).join('|')})`,
	'g',
);

function ownGroup(form: string, index: number): string {
	return form.replace(/(?<!\\)\((?!\?)/, `(?<s${index}>`);
}

/** Returns the keys in a text that have the form of a service. */
export function findServiceKeys(text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (const {start: from, end} of runsOf(text))
		for (const {0: whole, index, groups = {}} of text.slice(from, end).matchAll(anyKey)) {
			const kind = names.findIndex((_, number) => groups[`k${number}`] !== undefined);
			const value = groups[`s${kind}`] ?? whole;
			const start = from + index + whole.lastIndexOf(value);
			found.push({name: names[kind] ?? '', start, end: start + value.length, value});
		}
	return found;
}

/**
Returns the private keys of a text: PEM, OpenSSH, PGP, SSH2 and PuTTY. A key ends at its END line or, if that is
missing, where its base64 ends. The lines of a key may be escaped, numbered, quoted, or in a diff. A key without its
first line is found by its END line.
*/
export function findPrivateKeys(text: string): readonly Finding[] {
	if (!/PRIVATE KEY|Private-Lines|OpenVPN Static/.test(text)) return [];
	const found: Finding[] = [];
	const marks = [...text.matchAll(marker)].map(({0: mark, index}) => ({
		start: index,
		end: index + mark.length,
		isEnd: closing.test(mark),
	}));
	let last = 0;
	for (const [number, mark] of marks.entries()) {
		if (mark.start < last) continue;
		const next = marks[number + 1] ?? {start: text.length, end: text.length, isEnd: false};
		const start = mark.isEnd ? startOf(text, last, mark.start) : mark.start;
		const end = mark.isEnd ? mark.end : endOf(text, mark.end, next);
		const key = finding(text, start, end);
		if (key.value !== '') found.push(key);
		last = end;
	}
	return found;
}

/**
Returns the long runs of key characters that contain a digit. Every key is inside such a run, and most texts contain few
runs.
*/
function runsOf(text: string): ReadonlyArray<{readonly start: number; readonly end: number}> {
	const runs: Array<{start: number; end: number}> = [];
	let hasDigit = false;
	for (let at = 0, start = 0; at <= text.length; at++) {
		const kind = at < text.length ? (runParts[text.charCodeAt(at)] ?? 0) : 0;
		if (kind === 2) hasDigit = true;
		if (kind !== 0) continue;
		if (hasDigit && at - start >= leastRun) runs.push({start, end: at});
		start = at + 1;
		hasDigit = false;
	}
	return runs;
}

/** For each ASCII character: 1 for a character of a key, 2 for a digit, and otherwise 0. */
const runParts = new Uint8Array(128);

for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+/.%=~$:@-')
	runParts[character.charCodeAt(0)] = 1;

for (const digit of '0123456789') runParts[digit.charCodeAt(0)] = 2;

const leastRun = 19;

type Mark = {readonly start: number; readonly end: number; readonly isEnd: boolean};

const kind = '(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)';

const closing = /^-{4,5} ?END|^Private-MAC/;

const marker = new RegExp(
	`-{4,5} ?(?:BEGIN|END) ${kind} ?-{4,5}|Private-MAC: ?[0-9a-f]{10,64}|Private-Lines: ?\\d{1,4}`,
	'g',
);

/** The break between two lines, which may be escaped several times. */
const lineBreak = /\r?\n|(?:\\{1,8}r)?\\{1,8}n/g;

/** Returns the end of a key whose first line ends at `from`. */
function endOf(text: string, from: number, next: Mark): number {
	let end = from;
	for (const {at, line} of linesOf(text, from, next.start)) {
		const taken = keyPart(line);
		if (taken === undefined) return end;
		if (taken > 0) end = at + taken;
	}
	return next.isEnd ? next.end : end;
}

/** Returns the start of a key whose END line is at `to`. It reads more lines if all lines belong to the key. */
function startOf(text: string, least: number, to: number): number {
	for (let size = 10_000; ; size *= 2) {
		const from = Math.max(least, to - size);
		const start = startAfter(text, from, to);
		if (from === least || start > from + 1000) return start;
	}
}

function startAfter(text: string, from: number, to: number): number {
	let start = to;
	for (const {at, line} of [...linesOf(text, from, to)].toReversed()) {
		const run = longRun.exec(line);
		if (run === null && start < to) return start;
		if (run !== null) start = at + run.index;
	}
	return start;
}

function* linesOf(text: string, from: number, to: number): Generator<{readonly at: number; readonly line: string}> {
	const part = text.slice(from, to);
	let last = 0;
	for (const {0: found, index} of part.matchAll(lineBreak)) {
		yield {at: from + last, line: part.slice(last, index)};
		last = index + found.length;
	}
	yield {at: from + last, line: part.slice(last)};
}

const longRun = /[A-Za-z0-9+/]{24,}={0,2}/;

const header = new RegExp(
	'(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption|Public-Lines|Subject|Key-Derivation' +
		String.raw`|Argon2-\w{1,20}):`,
);

/**
Returns the end of a key's part in a line, 0 for an empty line, or `undefined` if the key has ended before this line.
*/
function keyPart(line: string): number | undefined {
	const run = longRun.exec(line);
	if (run !== null) return run.index + run[0].length;
	if (header.test(line)) return line.length;
	const [, short] = shortLine.exec(line) ?? [];
	if (short !== undefined) return line.lastIndexOf(short) + short.length;
	return emptyLine.test(line) ? 0 : undefined;
}

/** The text that a search, a listing or a diff adds before a line. */
const before = String.raw`^(?:[^\s:]{1,300}[:-]\d{1,9}[:-])?[^A-Za-z]{0,20}`;

const shortLine = new RegExp(`${before}([A-Za-z0-9+/]{1,23}={0,2})["',;\\s+\\\\)]{0,8}$`);

const emptyLine = new RegExp(`${before}$`);

/**
Returns the finding for a private key. Its value contains only the base64, so the same key in another form has the same
value.
*/
function finding(text: string, start: number, end: number): Finding {
	const whole = text.slice(start, end).replaceAll(lineBreak, '\n');
	const runs = [...whole.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([run]) => run);
	// If the key was cut in its first line, only the beginning of this line remains.
	const [, short = ''] = /-\s{1,2}([A-Za-z0-9+/]{4,15})$/.exec(whole) ?? [];
	return {name: 'private key', start, end, value: runs.join('') || short, also: runs};
}
