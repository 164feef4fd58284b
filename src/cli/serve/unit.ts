import {createHash} from 'node:crypto';
import {isAbsolute, join, resolve} from 'node:path';
import {homeOf, serverSocket, stateHome, systemOf, type Env} from '../../pod/index.ts';
import {unitDescription, unitHeads, unitMark} from './texts.ts';

/**
Returns a launchd agent on macOS, and otherwise a systemd user unit (systemd.service(5), launchd.plist(5)). It contains
the search path and the folders of inkpod, but no key.
*/
export function serviceUnit(options: UnitOptions): string {
	return systemOf(options.platform).supervisor === 'launchd'
		? launchdAgent(options, unitHeads.launchd)
		: systemdUnit(options, unitHeads.systemd);
}

/** The service file for a state folder, and the name by which the service manager knows the service. */
export type UnitFile = {readonly name: string; readonly path: string};

/**
Returns the file that inkpod writes for the service of this state folder (INKPOD_HOME). Each state folder has its own
server, so it also has its own service.
*/
export function unitFile(env: Env, platform?: NodeJS.Platform): UnitFile {
	const isUsual = stateHome(env) === stateHome({HOME: env['HOME']});
	const own = isUsual ? undefined : /serve-(\w+)\.sock$/.exec(serverSocket(env) ?? '')?.[1];
	const suffix = own === undefined ? '' : `-${own}`;
	if (systemOf(platform).supervisor === 'launchd') {
		const name = `${agentLabel}${suffix}`;
		return {name, path: join(homeOf(env), 'Library/LaunchAgents', `${name}.plist`)};
	}
	const configured = env['XDG_CONFIG_HOME'];
	const config = configured !== undefined && isAbsolute(configured) ? configured : join(homeOf(env), '.config');
	const name = `inkpod${suffix}.service`;
	return {name, path: join(config, 'systemd/user', name)};
}

/**
Returns the content of the service file. Its last line contains a checksum of the other lines, so that inkpod notices a
change by the user.
*/
export function markedUnit({name, ...options}: UnitOptions & Pick<UnitFile, 'name'>): string {
	const isAgent = systemOf(options.platform).supervisor === 'launchd';
	const body = isAgent ? launchdAgent(options, [unitMark], name) : systemdUnit(options, [unitMark]);
	return isAgent ? `${body}<!-- ${sumOf(body)} -->\n` : `${body}# ${sumOf(body)}\n`;
}

/** Tells whether a file is as inkpod wrote it. */
export function isUnchanged(content: string): boolean {
	const [, body = '', sum] = /^([^]*\n)(?:# |<!-- )(sha256 \w{64})(?: -->)?\n$/.exec(content) ?? [];
	return sum !== undefined && sum === sumOf(body);
}

/** Returns Node and the script of this program. */
export function ownProgram(): readonly string[] {
	const [, path] = process.argv;
	return path === undefined ? [process.execPath] : [process.execPath, path];
}

function sumOf(body: string): string {
	return `sha256 ${createHash('sha256').update(body).digest('hex')}`;
}

type UnitOptions = {
	readonly platform?: NodeJS.Platform;
	/** Node and the script of this program. */
	readonly program: readonly string[];
	readonly env: Env;
};

function systemdUnit({program, env}: UnitOptions, head: readonly string[]): string {
	const lines = [
		...head.map(line => `# ${line}`),
		'[Unit]',
		`Description=${unitDescription}`,
		'',
		'[Service]',
		`ExecStart=${[...program, 'serve'].map(word => quoted(word).replaceAll('$', () => '$$')).join(' ')}`,
		...kept(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
		'Restart=on-failure',
		'',
		'[Install]',
		'WantedBy=default.target',
	];
	return `${lines.join('\n')}\n`;
}

/** Quotes a word. In a unit, `%` begins a specifier, and `$` begins a variable only in commands (systemd.unit(5)). */
function quoted(word: string): string {
	const escaped = word
		.replaceAll(/[\\"]/g, String.raw`\$&`)
		.replaceAll('%', '%%')
		.replaceAll('\n', String.raw`\n`);
	return `"${escaped}"`;
}

function launchdAgent({program, env}: UnitOptions, head: readonly string[], label = agentLabel): string {
	const strings = (words: readonly string[], indent: string) =>
		words.map(word => `${indent}<string>${xml(word)}</string>`).join('\n');
	const variables = kept(env).map(
		([name, value]) => `\t\t<key>${xml(name)}</key>\n\t\t<string>${xml(value)}</string>`,
	);
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!--
${head.join('\n')}
-->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>${xml(label)}</string>
	<key>ProgramArguments</key>
	<array>
${strings([...program, 'serve'], '\t\t')}
	</array>
	<key>EnvironmentVariables</key>
	<dict>
${variables.join('\n')}
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
</dict>
</plist>
`;
}

function xml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function kept(env: Env): ReadonlyArray<readonly [name: string, value: string]> {
	return keptVariables.flatMap(name => {
		const value = env[name];
		// The service starts in another directory.
		const whole = value !== undefined && name === 'INKPOD_HOME' ? resolve(value) : value;
		return whole === undefined || value === '' ? [] : [[name, whole] as const];
	});
}

const agentLabel = 'inkpod.serve';

const keptVariables = ['PATH', 'LANG', 'INKPOD_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'];
