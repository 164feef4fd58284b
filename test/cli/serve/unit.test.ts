import {describe, expect, it} from 'vitest';
import {serviceUnit} from '../../../src/cli/serve/unit.ts';

const program = ['/opt/no de/bin/node', '/opt/100%/"ink"$HOME.js'];
const env = {PATH: '/a:/b', INKPOD_HOME: '/state', ANTHROPIC_API_KEY: 'secret', XDG_CONFIG_HOME: ''};

describe('the file for the system supervisor', () => {
	it('is a systemd user unit, in which no word has a second meaning', () => {
		const unit = serviceUnit({platform: 'linux', program, env});
		expect(unit).toContain(String.raw`ExecStart="/opt/no de/bin/node" "/opt/100%%/\"ink\"$$HOME.js" "serve"`);
		expect(unit).toContain('Environment="PATH=/a:/b"\nEnvironment="INKPOD_HOME=/state"\nRestart=on-failure\n');
		expect(unit.split('\n').filter(line => line.startsWith('['))).toEqual(['[Unit]', '[Service]', '[Install]']);
	});

	it('keeps a line break in a path from beginning a setting', () => {
		const unit = serviceUnit({platform: 'linux', program: ['/a\nExecStartPre=/evil'], env: {}});
		expect(unit).not.toMatch(/^ExecStartPre/m);
	});

	it('is a launchd agent on macOS', () => {
		const agent = serviceUnit({platform: 'darwin', program: ['/a&b/<node>'], env});
		expect(agent).toContain('<string>/a&amp;b/&lt;node&gt;</string>\n\t\t<string>serve</string>');
		expect(agent).toContain('<key>PATH</key>\n\t\t<string>/a:/b</string>');
	});

	it.each(['linux', 'darwin'] as const)('contains no key on %s', platform => {
		expect(serviceUnit({platform, program, env})).not.toMatch(/secret|API_KEY/);
	});
});
