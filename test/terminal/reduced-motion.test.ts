import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

type Sign = {readonly second: number; readonly sign: string};

/** Runs a command, and returns the sign of its status line at three different seconds. */
async function signsOf(config: string, env: Readonly<Record<string, string>> = {}): Promise<readonly Sign[]> {
	const script = [[{type: 'tool_call', name: 'bash', arguments: {command: 'sleep 30'}}]];
	const project = await tempProject({'work/script.json': JSON.stringify(script)});
	const home = project.path('home');
	await mkdir(join(home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home, '.config/inkpod/config.toml'), config);
	const args = ['--model', 'scripted:script.json', '--approval', 'auto'];
	const terminal = await openChat({cwd: project.path('work'), home, args, env});
	await terminal.waitFor('idle');
	await send(terminal, 'go');
	const signs: Sign[] = [];
	const read = (screen: string): Sign | undefined => {
		const [, sign = '', second = ''] = /^(\S) Running sleep 30 · (\d+) s/mu.exec(screen) ?? [];
		return sign === '' ? undefined : {sign, second: Number(second)};
	};
	while (signs.length < 3) {
		await terminal.waitFor(screen => (read(screen)?.second ?? 0) > (signs.at(-1)?.second ?? 0));
		const sign = read(terminal.screen());
		if (sign !== undefined) signs.push(sign);
	}
	return signs;
}

describe('the sign of a running turn', () => {
	it('changes each second', async () => {
		for (const {second, sign} of await signsOf('')) expect(sign).toBe(['▖', '▘', '▝', '▗'][second % 4]);
	});

	it.each([
		['[screen]\nreduced_motion = true\n', {}],
		['', {INKPOD_REDUCED_MOTION: '1'}],
	] as const)('stands still, and the seconds still count, with %j and %j', async (config, env) => {
		expect((await signsOf(config, env)).map(({sign}) => sign)).toEqual(['●', '●', '●']);
	});
});
