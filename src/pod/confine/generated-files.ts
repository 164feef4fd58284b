import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {z} from 'zod';
import {xdgParent, type Env} from '../env/env.ts';
import {parseGitConfig} from '../scope/git-config-text.ts';
import {withoutLogin} from './passed-variables.ts';

/** A file that exists only for confined commands. */
export type GeneratedFile = {readonly path: string; readonly bytes: Uint8Array};

/**
Returns the configuration files of tools in the home folder, with the settings of a closed list: who you are, registries,
proxies and certificates. They contain no login, so neither do the addresses in them.
*/
export function generatedConfig(home: string, env: Env): readonly GeneratedFile[] {
	const configs = xdgParent(env, 'XDG_CONFIG_HOME', join(home, '.config'));
	const read = (...paths: readonly string[]) => paths.map(path => beginningOf(path));
	const texts: Readonly<Record<string, string>> = {
		'.gitconfig': gitConfig(read('/etc/gitconfig', join(configs, 'git/config'), join(home, '.gitconfig'))),
		'.config/git/ignore': read(join(configs, 'git/ignore')).join(''),
		'.npmrc': npmConfig(read('/etc/npmrc', '/usr/etc/npmrc', '/usr/local/etc/npmrc', join(home, '.npmrc'))),
		'.config/pip/pip.conf': pipConfig(
			read('/etc/pip.conf', join(home, '.pip/pip.conf'), join(configs, 'pip/pip.conf')),
		),
		'.cargo/config.toml': cargoConfig(read(join(home, '.cargo/config'), join(home, '.cargo/config.toml'))),
		'.m2/settings.xml': mavenSettings(read('/etc/maven/settings.xml', join(home, '.m2/settings.xml'))),
		'.gradle/gradle.properties': gradleProperties(read(join(home, '.gradle/gradle.properties'))),
	};
	return Object.entries(texts).flatMap(([name, text]) =>
		text === '' ? [] : [{path: join(home, name), bytes: Buffer.from(text)}],
	);
}

/** Returns the lists of users and groups, with those of the system and you. */
export function generatedAccounts(): readonly GeneratedFile[] {
	const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0];
	const lines = (path: string, own: number) =>
		beginningOf(path)
			.split('\n')
			.filter(line => {
				const id = Number(line.split(':')[2]);
				return Number.isInteger(id) && (id < firstUser || id === nobody || id === own);
			});
	const users = lines('/etc/passwd', uid);
	const isListed = users.some(line => Number(line.split(':')[2]) === uid);
	return [
		['/etc/passwd', [...users, ...(isListed ? [] : ownLine())]] as const,
		['/etc/group', lines('/etc/group', gid).map(line => line.replace(/[^:]*$/, ''))] as const,
	].map(([path, list]) => ({path, bytes: Buffer.from(`${list.join('\n')}\n`)}));
}

const firstUser = 1000;
const nobody = 65_534;

/** A user of a directory service is not in the file. */
function ownLine(): readonly string[] {
	try {
		const {username, uid, gid, homedir, shell} = userInfo();
		const fields = [username, 'x', uid, gid, '', homedir, shell ?? '/bin/sh'].map(field => String(field));
		return fields.some(field => /[:\n]/.test(field)) ? [] : [fields.join(':')];
	} catch {
		return [];
	}
}

const maxBytes = 256 * 1024;

/** Reads the beginning of a regular file. The result is empty if it cannot be read. */
function beginningOf(path: string): string {
	let fd: number | undefined;
	try {
		fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		if (!fstatSync(fd).isFile()) return '';
		const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, maxBytes));
		return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString();
	} catch {
		return '';
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

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

/** LFS is written as `git lfs install` writes it, because without it every such file would look changed. */
const lfs = `[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
`;

function gitConfig(texts: readonly string[]): string {
	const entries = texts.flatMap(text => parseGitConfig(text).entries);
	const kept = entries.filter(({key}) => gitKeys.test(key));
	const lines = kept.map(({key, subsection, value}) => {
		const [section = '', name = ''] = key.split('.');
		const of = subsection === undefined ? '' : ` ${gitQuoted(withoutLogin(subsection))}`;
		return `[${section}${of}]\n\t${name} = ${gitQuoted(withoutLogin(value))}\n`;
	});
	const hasLfs = entries.some(({key, subsection}) => key === 'filter.clean' && subsection === 'lfs');
	return [...lines, ...(hasLfs ? [lfs] : [])].join('');
}

function gitQuoted(value: string): string {
	return `"${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[\u0000-\u001F]/g, ' ')}"`;
}

/** A warm cache tries no connection. */
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

function npmConfig(texts: readonly string[]): string {
	return [...pairs(texts, npmKeys), ...npmFixed].join('\n').concat('\n');
}

/** Returns the lines `key=value` with these keys, and values without logins and references to variables. */
function pairs(texts: readonly string[], keys: RegExp): readonly string[] {
	return texts.flatMap(text =>
		text.split(/\r?\n/).flatMap(line => {
			const [, key = '', value = ''] = /^\s*([^\s=;#]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
			return keys.test(key) && !value.includes('${') ? [`${key}=${withoutLogin(value)}`] : [];
		}),
	);
}

const pipKeys =
	/^(?:(?:extra-)?index-url|find-links|trusted-host|proxy|cert|timeout|retries|no-index|prefer-binary|only-binary|no-binary|require-virtualenv|break-system-packages|disable-pip-version-check|use-pep517)$/;

function pipConfig(texts: readonly string[]): string {
	const sections = new Map<string, string[]>();
	for (const text of texts) {
		let lines: string[] = [];
		let isKept = false;
		for (const line of text.split(/\r?\n/)) {
			const [, section] = /^\[([\w.-]+)\]\s*$/.exec(line) ?? [];
			const [, key] = /^([\w-]+)\s*[=:]/.exec(line) ?? [];
			if (section !== undefined) sections.set(section, (lines = sections.get(section) ?? []));
			if (section !== undefined || key !== undefined) isKept = key !== undefined && pipKeys.test(key);
			// A value may continue on indented lines.
			if (isKept && (key !== undefined || /^\s+\S/.test(line))) lines.push(withoutLogin(line));
		}
	}
	return [...sections].map(([name, lines]) => [`[${name}]`, ...lines, ''].join('\n')).join('');
}

const text = z.string();
const scalar = z.union([z.string(), z.number(), z.boolean()]);
/** Unknown keys are dropped, and a value of another type drops its whole table. */
const cargoSchema = z.object({
	registry: z.object({default: text.optional()}).optional().catch(undefined),
	registries: z
		.record(text, z.object({index: text.optional()}))
		.optional()
		.catch(undefined),
	source: z
		.record(
			text,
			z.object({
				registry: text.optional(),
				'local-registry': text.optional(),
				directory: text.optional(),
				'replace-with': text.optional(),
			}),
		)
		.optional()
		.catch(undefined),
	net: z
		.object({retry: scalar.optional(), offline: scalar.optional(), 'git-fetch-with-cli': scalar.optional()})
		.optional()
		.catch(undefined),
	http: z
		.object({
			proxy: text.optional(),
			cainfo: text.optional(),
			timeout: scalar.optional(),
			multiplexing: scalar.optional(),
		})
		.optional()
		.catch(undefined),
	build: z.object({jobs: scalar.optional(), target: text.optional()}).optional().catch(undefined),
});

function cargoConfig(texts: readonly string[]): string {
	return texts.map(text => cargoTables(text)).findLast(found => found !== '') ?? '';
}

function cargoTables(text: string): string {
	try {
		const {registry, registries, source, net, http, build} = cargoSchema.parse(parse(text));
		const named = (group: string, tables: Readonly<Record<string, object>> | undefined) =>
			Object.entries(tables ?? {}).map(([name, table]) => tomlTable(`${group}.${JSON.stringify(name)}`, table));
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

function tomlTable(header: string, table: object | undefined): string {
	const lines = Object.entries(table ?? {}).map(([key, value]: [string, unknown]) => {
		const plain: unknown = typeof value === 'string' ? withoutLogin(value) : value;
		return `${key} = ${JSON.stringify(plain)}\n`;
	});
	return lines.length === 0 ? '' : `[${header}]\n${lines.join('')}`;
}

const mavenElements: Readonly<Record<string, readonly string[]>> = {
	mirror: ['id', 'name', 'url', 'mirrorOf', 'blocked', 'layout'],
	proxy: ['id', 'active', 'protocol', 'host', 'port', 'nonProxyHosts'],
};

function mavenSettings(texts: readonly string[]): string {
	const plain = texts.map(text => text.replaceAll(/<!--[^]*?-->/g, '')).join('\n');
	const groups = Object.entries(mavenElements).map(([element, names]) => {
		const found = [...plain.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))].map(([, inner = '']) =>
			names.flatMap(name => {
				const value = new RegExp(`<${name}>\\s*([^<>]*?)\\s*</${name}>`).exec(inner)?.[1];
				return value === undefined ? [] : [`<${name}>${withoutLogin(value)}</${name}>`];
			}),
		);
		const plural = element === 'proxy' ? 'proxies' : `${element}s`;
		return found.length === 0
			? ''
			: `<${plural}>${found.map(lines => `<${element}>${lines.join('')}</${element}>`).join('')}</${plural}>`;
	});
	const inner = groups.join('');
	return inner === '' ? '' : `<settings>${inner}</settings>\n`;
}

const gradleKeys =
	/^(?:systemProp\.https?\.(?:proxyHost|proxyPort|nonProxyHosts)|org\.gradle\.(?:jvmargs|parallel|caching|workers\.max))$/;

function gradleProperties(texts: readonly string[]): string {
	return pairs(texts, gradleKeys)
		.map(line => `${line}\n`)
		.join('');
}
