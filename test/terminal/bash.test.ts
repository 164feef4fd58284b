import {describe, expect, it} from 'vitest';
import {narrowDetails} from '../../src/pod/protocol.ts';
import {onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

const packageJson = JSON.stringify({name: 'demo', scripts: {test: 'sh test.sh'}});

describe('the bash tool', () => {
	it('shows the output of npm test while it runs, and its exit code even after a restart', async () => {
		const project = await tempProject({
			'package.json': packageJson,
			'test.sh': 'echo first of all; until [ -e go ]; do sleep 0.05; done; echo last of all >&2; exit 3\n',
		});
		const terminal = await openChat({cwd: project.dir, args: ['--approval', 'auto']});
		await terminal.waitFor('offline');
		await send(terminal, 'run npm test');
		await terminal.waitFor(
			screen =>
				/│ first of all/.test(screen) && screen.includes('◔ Run npm test') && !screen.includes('last of all'),
		);
		await project.write('go', '');
		await terminal.waitFor(
			screen =>
				screen.includes('× Run npm test · exit 3') &&
				/offline guide: rules/.test(screen) &&
				screen.includes('◦ idle'),
		);
		const {items, session} = await onlyHistory(terminal.home);
		const result = items.find(({type}) => type === 'tool_result')!;
		expect(result['content']).toMatch(/first of all\nlast of all\n[^]*\[exit code 3\]$/);
		expect(narrowDetails(result['details'] as Record<string, unknown>).command).toMatchObject({exitCode: 3});
		const shown = transcript(terminal);
		terminal.write('\x04');
		await terminal.exit;
		const again = await openChat({
			cwd: project.dir,
			home: terminal.home,
			args: ['-r', session, '--approval', 'auto'],
		});
		await again.waitFor(screen => /offline guide: rules/.test(screen) && screen.includes('◦ idle'));
		expect(transcript(again)).toEqual(shown);
	});

	it('reports the end of a background command, and the model answers', async () => {
		const script = [
			[
				{
					type: 'tool_call',
					name: 'bash',
					arguments: {
						command: 'until [ -e go ]; do sleep 0.05; done; echo it is up',
						background: true,
						wake: true,
					},
				},
			],
			[{type: 'text', text: 'It runs.'}],
			[{type: 'text', text: 'So it ended.'}],
		];
		const project = await tempProject({'script.json': JSON.stringify(script)});
		const terminal = await openChat({
			cwd: project.dir,
			args: ['--model', 'scripted:script.json', '--approval', 'auto'],
		});
		await terminal.waitFor('scripted');
		await send(terminal, 'start it');
		await terminal.waitFor(screen => screen.includes('It runs.') && screen.includes('◦ idle'));
		await project.write('go', '');
		await terminal.waitFor(
			screen =>
				/Background command \w+ ended with exit code 0/.test(screen) &&
				screen.includes('So it ended.') &&
				screen.includes('◦ idle'),
		);
	});
});
