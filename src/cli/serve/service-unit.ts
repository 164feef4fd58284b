import type {Env} from '../../pod/index.ts';
import {unitDescription, unitHeads} from './texts.ts';

type UnitOptions = {
	readonly platform: NodeJS.Platform;
	/** Node and the script of this program. */
	readonly program: readonly string[];
	readonly env: Env;
};

/**
Returns a launchd agent on macOS, and otherwise a systemd user unit (systemd.service(5), launchd.plist(5)). It contains
the search path and the folders of inkpod, but no key.
*/
export function serviceUnit(options: UnitOptions): string {
	return options.platform === 'darwin' ? launchdAgent(options) : systemdUnit(options);
}

function systemdUnit({program, env}: UnitOptions): string {
	const lines = [
		...unitHeads.systemd.map(line => `# ${line}`),
		'[Unit]',
		`Description=${unitDescription}`,
		'',
		'[Service]',
		`ExecStart=${[...program, 'serve'].map(systemdWord).join(' ')}`,
		...kept(env).map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`),
		'Restart=on-failure',
		'',
		'[Install]',
		'WantedBy=default.target',
	];
	return `${lines.join('\n')}\n`;
}

/** Quotes a word. In a unit, `%` begins a specifier and `$` a variable (systemd.unit(5)). */
function systemdWord(word: string): string {
	const escaped = word
		.replaceAll(/[\\"]/g, String.raw`\$&`)
		.replaceAll('%', '%%')
		.replaceAll('$', () => '$$')
		.replaceAll('\n', String.raw`\n`);
	return `"${escaped}"`;
}

function launchdAgent({program, env}: UnitOptions): string {
	const strings = (words: readonly string[], indent: string) =>
		words.map(word => `${indent}<string>${xml(word)}</string>`).join('\n');
	const variables = kept(env).map(
		([name, value]) => `\t\t<key>${xml(name)}</key>\n\t\t<string>${xml(value)}</string>`,
	);
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!--
${unitHeads.launchd.join('\n')}
-->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>inkpod.serve</string>
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
		return value === undefined || value === '' ? [] : [[name, value] as const];
	});
}

const keptVariables = ['PATH', 'LANG', 'INKPOD_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'];
