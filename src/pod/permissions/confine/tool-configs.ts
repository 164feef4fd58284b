import {parse} from 'smol-toml';
import {z} from 'zod';
import {parseGitConfig} from '../../scope/git-config-text.ts';
import {addressWithoutSecrets, flagsWithoutSecrets, javaFlags} from './without-secrets.ts';

const gitKeys = new RegExp(
	[
		/user\.(?:name|email|useconfigonly)/,
		/init\.defaultbranch/,
		/core\.(?:autocrlf|eol|safecrlf|quotepath|abbrev|whitespace|longpaths|untrackedcache|precomposeunicode)/,
		/(?:pull|rebase|push|fetch|merge|diff|status|branch|tag|log|color|column|rerere|stash|commit)\.(?:rebase|ff)/,
		/push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|prunetags)|merge\.(?:conflictstyle|renames)/,
		/rebase\.(?:autosquash|autostash|updaterefs)|diff\.(?:algorithm|renames|mnemonicprefix|colormoved)/,
		/rerere\.(?:enabled|autoupdate)|status\.(?:showuntrackedfiles|short|branch)|(?:branch|tag)\.sort|log\.date/,
		/color\.ui|safe\.directory|http\.(?:proxy|sslcainfo|sslverify|version)|url\.(?:insteadof|pushinsteadof)/,
	]
		.map(({source}) => `^(?:${source})$`)
		.join('|'),
);

/** The LFS settings as `git lfs install` writes them. Without them, every LFS file would look changed. */
const lfs = `[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
`;

export function gitConfig(texts: readonly string[]): string {
	const entries = texts.flatMap(text => parseGitConfig(text).entries);
	const kept = entries.filter(({key}) => gitKeys.test(key));
	const lines = kept.flatMap(({key, subsection, value}) => {
		const [section = '', name = ''] = key.split('.');
		const plain = addressWithoutSecrets(name, value);
		const address = subsection === undefined ? '' : addressWithoutSecrets(section, subsection);
		if (plain === undefined || address === undefined) return [];
		const of = subsection === undefined ? '' : ` ${gitQuoted(address)}`;
		return [`[${section}${of}]\n\t${name} = ${gitQuoted(plain)}\n`];
	});
	const hasLfs = entries.some(({key, subsection}) => key === 'filter.clean' && subsection === 'lfs');
	return [...lines, ...(hasLfs ? [lfs] : [])].join('');
}

function gitQuoted(value: string): string {
	return `"${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[\u0000-\u001F]/g, ' ')}"`;
}

/** Settings for npm. With them, npm does not try to connect if the cache contains all packages. */
const npmFixed = ['prefer-offline=true', 'audit=false', 'fund=false', 'update-notifier=false'];
const npmKeys = new RegExp(
	[
		/(?:@[\w.-]+:)?registry|(?:https?-)?proxy|noproxy|no-proxy|ca(?:\[\])?|cafile|strict-ssl|maxsockets|nodedir/,
		/save-(?:exact|prefix)|engine-strict|legacy-peer-deps|package-lock|ignore-scripts|node-linker|install-links/,
		/omit-lockfile-registry-resolved|yes|shamefully-hoist|auto-install-peers|strict-peer-dependencies/,
	]
		.map(({source}) => source)
		.join('|')
		.replace(/^/, '^(?:')
		.concat(')$'),
);

export function npmConfig(texts: readonly string[]): string {
	return [...pairs(texts, npmKeys), ...npmFixed].join('\n').concat('\n');
}

type Plain = (key: string, value: string) => string | undefined;

/** Returns the lines `key=value` with matching keys. A value with a secret or a reference to a variable is left out. */
function pairs(texts: readonly string[], keys: RegExp, plainOf: Plain = addressWithoutSecrets): readonly string[] {
	return texts.flatMap(text =>
		text.split(/\r?\n/).flatMap(line => {
			const [, key = '', value = ''] = /^\s*([^\s=;#]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
			const plain = keys.test(key) && !value.includes('${') ? plainOf(key, value) : undefined;
			return plain === undefined ? [] : [`${key}=${plain}`];
		}),
	);
}

const pipKeys = new RegExp(
	String.raw`^(?:(?:extra-)?index-url|find-links|trusted-host|proxy|cert|timeout|retries|no-index|` +
		String.raw`prefer-binary|only-binary|no-binary|require-virtualenv|break-system-packages|` +
		String.raw`disable-pip-version-check|use-pep517)$`,
);

/**
Returns the allowed settings of pip. A value may continue on indented lines. If one of these lines contains a secret,
the whole setting is left out.
*/
export function pipConfig(texts: readonly string[]): string {
	const sections = new Map<string, string[]>();
	for (const {section, key, lines} of texts.flatMap(pipSettings)) {
		if (!pipKeys.test(key)) continue;
		const plain = lines.map(([start, value]) => [start, addressWithoutSecrets(key, value)] as const);
		if (plain.some(([, value]) => value === undefined)) continue;
		const kept = sections.get(section) ?? [];
		sections.set(section, [...kept, ...plain.map(([start, value]) => `${start}${value}`)]);
	}
	return [...sections].map(([name, lines]) => [`[${name}]`, ...lines, ''].join('\n')).join('\n');
}

/** A setting of a section. Each line is split into the value and the text before it. */
type PipSetting = {readonly section: string; readonly key: string; readonly lines: Array<readonly [string, string]>};

/** Matches the name of a section: `global`, or a command of pip. */
const pipSection = /^[a-z]{1,20}$/;

function pipSettings(text: string): readonly PipSetting[] {
	const settings: PipSetting[] = [];
	let section: string | undefined;
	let setting: PipSetting | undefined;
	for (const line of text.split(/\r?\n/)) {
		const [, header] = /^\[(.*)\]\s*$/.exec(line) ?? [];
		const [start = '', key] = /^([\w-]+)\s*[=:]\s*/.exec(line) ?? [];
		if (header !== undefined) [section, setting] = [pipSection.exec(header)?.[0], undefined];
		else if (key !== undefined && section !== undefined) {
			setting = {section, key, lines: [[start, line.slice(start.length)]]};
			settings.push(setting);
		} else if (/^\s+\S/.test(line)) setting?.lines.push([/^\s+/.exec(line)?.[0] ?? '', line.trim()]);
		else if (!/^(?:[#;]|$)/.test(line)) setting = undefined;
	}
	return settings;
}

const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

function table<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape).optional().catch(undefined);
}

function tables<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.record(z.string(), z.object(shape)).optional().catch(undefined);
}

/** The allowed settings of cargo. inkpod leaves out unknown keys and values of other types. */
const cargoSchema = z.object({
	registry: table({default: text}),
	registries: tables({index: text}),
	source: tables({registry: text, 'local-registry': text, directory: text, 'replace-with': text}),
	net: table({retry: number, offline: flag, 'git-fetch-with-cli': flag}),
	http: table({proxy: text, cainfo: text, timeout: number, multiplexing: flag}),
	build: table({
		jobs: z
			.union([z.number(), z.literal('default')])
			.optional()
			.catch(undefined),
		target: text,
	}),
});

export function cargoConfig(texts: readonly string[]): string {
	return texts.map(cargoTables).findLast(found => found !== '') ?? '';
}

function cargoTables(text: string): string {
	try {
		const {registry, registries, source, net, http, build} = cargoSchema.parse(parse(text));
		const named = (group: string, found: Readonly<Record<string, object>> | undefined) =>
			Object.entries(found ?? {})
				.filter(([name]) => addressWithoutSecrets(group, name) === name)
				.map(([name, values]) => tomlTable(`${group}.${JSON.stringify(name)}`, values));
		return [
			tomlTable('registry', registry),
			...named('registries', registries),
			...named('source', source),
			tomlTable('net', net),
			tomlTable('http', http),
			tomlTable('build', build),
		].join('');
	} catch {
		return '';
	}
}

function tomlTable(header: string, values: object | undefined): string {
	const lines = Object.entries(values ?? {}).flatMap(([key, value]: [string, unknown]) => {
		const plain: unknown = typeof value === 'string' ? addressWithoutSecrets(key, value) : value;
		return plain === undefined ? [] : [`${key} = ${JSON.stringify(plain)}\n`];
	});
	return lines.length === 0 ? '' : `[${header}]\n${lines.join('')}`;
}

const mavenElements: Readonly<Record<string, readonly string[]>> = {
	mirror: ['id', 'name', 'url', 'mirrorOf', 'blocked', 'layout'],
	proxy: ['id', 'active', 'protocol', 'host', 'port', 'nonProxyHosts'],
};

export function mavenSettings(texts: readonly string[]): string {
	const plain = texts.map(text => text.replaceAll(/<!--[^]*?-->/g, '')).join('\n');
	const groups = Object.entries(mavenElements).map(([element, names]) => {
		const found = [...plain.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))].flatMap(
			([, inner = '']) => {
				const values = names.flatMap(name => {
					const value = new RegExp(`<${name}>\\s*([^<>]*?)\\s*</${name}>`).exec(inner)?.[1];
					return value === undefined
						? []
						: [[name, addressWithoutSecrets(`${element}.${name}`, value)] as const];
				});
				const hasSecret = values.some(([, value]) => value === undefined);
				return hasSecret ? [] : [values.map(([name, value]) => `<${name}>${value}</${name}>`).join('')];
			},
		);
		const plural = element === 'proxy' ? 'proxies' : `${element}s`;
		return found.length === 0
			? ''
			: `<${plural}>${found.map(lines => `<${element}>${lines}</${element}>`).join('')}</${plural}>`;
	});
	const inner = groups.join('');
	return inner === '' ? '' : `<settings>${inner}</settings>\n`;
}

const gradleKeys = new RegExp(
	String.raw`^(?:systemProp\.https?\.(?:proxyHost|proxyPort|nonProxyHosts)|` +
		String.raw`org\.gradle\.(?:jvmargs|parallel|caching|workers\.max))$`,
);

const goKeys = new RegExp(
	String.raw`^(?:GOPROXY|GOPRIVATE|GONOPROXY|GOSUMDB|GONOSUMDB|GOINSECURE|GOFLAGS|` +
		String.raw`GOTOOLCHAIN|GOOS|GOARCH|GOEXPERIMENT|CGO_ENABLED)$`,
);

export function goEnv(texts: readonly string[]): string {
	const plainOf: Plain = (key, value) =>
		key === 'GOFLAGS' ? flagsWithoutSecrets(value) : addressWithoutSecrets(key, value);
	return pairs(texts, goKeys, plainOf)
		.map(line => `${line}\n`)
		.join('');
}

export function gradleProperties(texts: readonly string[]): string {
	const plainOf: Plain = (key, value) => {
		if (key.endsWith('jvmargs')) return javaFlags(value);
		if (key.startsWith('org.')) return /^(?:true|false|\d{1,4})$/.test(value) ? value : undefined;
		return addressWithoutSecrets(key, value);
	};
	return pairs(texts, gradleKeys, plainOf)
		.map(line => `${line}\n`)
		.join('');
}
