import {describe, expect, it} from 'vitest';
import {onlyHistory, openChat, pressApart, send, transcript} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';

const pod = (task: string, title: string) => ({type: 'tool_call', name: 'pod', arguments: {task, title}});
/** The model of all sessions plays one script, so only one child works at a time. */
const script = JSON.stringify([
	[{type: 'text', text: 'I split this.'}, pod('Write a note.', 'Note')],
	[{type: 'tool_call', name: 'write_file', arguments: {path: 'note.txt', content: 'x\n'}}],
	[{type: 'text', text: 'The note is there.'}],
	[{type: 'text', text: 'All is done.'}],
]);

async function childOf(home: string): Promise<string> {
	const {items} = await onlyHistory(home);
	return String(items.find(({type}) => type === 'child_started')?.['child']);
}

describe('a child session', () => {
	it.each([
		[120, 40],
		[60, 15],
	])(
		'asks, is opened with Alt+N and left with Esc, and each session keeps its draft, at %i by %i',
		async (cols, rows) => {
			const project = await tempProject({'script.json': script});
			const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], cols, rows});
			await terminal.waitFor('scripted');
			await send(terminal, 'do it');
			await terminal.waitFor(/Allow writing note\.txt\? · asked by Note/);
			await terminal.waitFor(/1 child/);
			terminal.write('\x1Bn');
			await terminal.waitFor(/child: Note/);
			expect(terminal.screen()).toContain('asked by Note');
			await terminal.waitFor('Esc: ');
			await pressApart(terminal, '1');
			await terminal.waitFor(screen => screen.includes('The note is there.') && screen.includes('idle'));
			expect(transcript(terminal).join('\n')).not.toContain('I split this.');
			terminal.write('for the child');
			await terminal.waitFor('❯ for the child');
			terminal.write('\x1B');
			await terminal.waitFor(screen => screen.includes('All is done.') && !screen.includes('child: Note'));
			expect(terminal.screen()).not.toContain('for the child');
			expect(terminal.screen()).toMatch(/● pod Note · [\d.]+ s/);
			terminal.write('\x1Bn');
			await terminal.waitFor('❯ for the child');
			expect(terminal.screen()).not.toContain('Restored');
			terminal.write('\x15\x04');
			expect(await terminal.exit).toMatchObject({code: 0});
			const [, id = ''] = /inkpod -r (\w+)/.exec(terminal.raw().toString()) ?? [];
			const child = await childOf(terminal.home);
			const again = await openChat({
				cwd: project.dir,
				args: ['-r', child.toLowerCase()],
				home: terminal.home,
				cols,
				rows,
			});
			await again.waitFor(screen => screen.includes('child: Note') && screen.includes('The note is there.'));
			again.write('\x1B');
			await again.waitFor(screen => screen.includes('All is done.') && !screen.includes('child: Note'));
			again.write('\x04');
			expect(await again.exit).toMatchObject({code: 0});
			const printed = await runProgram({args: ['-p', '-r', child, 'hi'], cwd: project.dir, home: terminal.home});
			expect(printed).toMatchObject({
				code: 2,
				stderr: expect.stringContaining(`${child} is a child of session ${id}`) as unknown,
			});
			const verified = await runProgram({
				args: ['verify', id, '--requests'],
				cwd: project.dir,
				home: terminal.home,
			});
			expect(verified).toMatchObject({code: 0, stderr: ''});
			expect(verified.stdout).toContain('children 1 child session: ok');
		},
	);
});
