import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, openChat, send} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('/compact', () => {
	it('shows its block and the files that it read again, even after a resume, and can be undone', async () => {
		const project = await tempProject({'a.ts': 'export const first = 1;\nexport const second = 2;\n'});
		const home = project.path('../home');
		const config = join(home, '.config/inkpod/config.toml');
		await mkdir(dirname(config), {recursive: true});
		await writeFile(config, '[compaction]\nretained_tokens = 120\n');
		const terminal = await openChat({cwd: project.dir, home, rows: 50, cols: 110});
		await terminal.waitFor('offline');
		await send(terminal, 'explain @a.ts please');
		await terminal.waitFor(screen => screen.includes('offline guide: rules') && screen.includes('◦ idle'));
		await send(terminal, 'and now?');
		await terminal.waitFor(screen => screen.includes('rule-based guide') && screen.includes('◦ idle'));
		await send(terminal, '/compact');
		await terminal.waitFor(
			screen =>
				/Compacted · .* → .* tokens · \d+ items summarised/.test(screen) &&
				screen.includes('re-read a.ts') &&
				screen.includes('Auto-read a.ts · 2 lines') &&
				screen.includes('◦ idle'),
		);
		const [file] = await histories(home);
		const id = basename(dirname(file!));
		const ledger = async () =>
			JSON.parse((await runProgram({args: ['context', id, '--json'], cwd: project.dir, home})).stdout) as {
				readonly rows: ReadonlyArray<{readonly kind: string; readonly path?: string}>;
			};
		expect((await ledger()).rows.filter(({kind}) => kind !== 'tool').map(({kind}) => kind)).toEqual([
			'prompt',
			'summary',
			'user',
			'auto_read',
			'assistant',
		]);

		const second = await openChat({cwd: project.dir, home, rows: 50, cols: 110, args: ['attach', id]});
		await second.waitFor(screen => screen.includes('re-read a.ts') && screen.includes('Auto-read a.ts · 2 lines'));
		await send(terminal, '/compact undo');
		await terminal.waitFor('Compaction undone');
		expect((await ledger()).rows.filter(({kind}) => kind !== 'tool').map(({kind}) => kind)).toEqual([
			'prompt',
			'user',
			'file',
			'assistant',
			'user',
			'assistant',
		]);
		const stored = (await readFile(file!, 'utf8')).split('\n').filter(line => line.includes('"type":"compaction"'));
		expect(stored).toHaveLength(1);
		expect((await runProgram({args: ['verify', id, '--requests'], cwd: project.dir, home})).code).toBe(0);
	});
});
