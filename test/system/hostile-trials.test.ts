import {statSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {attacks} from './hostile-trials.ts';
import {processesOf, secret, tried} from './tried.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

describe.skipIf(!available.ok).each(Object.entries(attacks))('a hostile command that %s', (_kind, table) => {
	it.each(table.map(([name, ...attack]) => ({name, attack})))('$name', async ({attack}) => {
		const [commands, options = {}, holds = () => {}] = attack;
		const result = await tried(commands, options);
		holds(result);
		expect(result.sent).not.toContain(secret);
		expect(processesOf(`HOME=${result.top}/home`)).toEqual([]);
		if (options.answer === undefined && options.prepare === undefined) expect(result.after).toEqual(result.before);
		expect(statSync(result.project.path('.env')).size).toBe(16);
	});
});
