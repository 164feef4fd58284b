import {send} from '../chat.ts';
import {
	answered,
	attached,
	bash,
	call,
	enter,
	keys,
	left,
	printing,
	ready,
	received,
	running,
	say,
	slow,
	stored,
	streaming,
	type,
	type5,
	type State,
} from './stage.ts';

/** What the user types, and what a model or a program writes. */
export const typedStates: Readonly<Record<string, State>> = {
	'a paste': {
		steps: 2,
		async act(stage) {
			const terminal = await ready(stage);
			const typed = stage.word();
			stage.step();
			terminal.write(`\x1b[200~${typed} ${'x'.repeat(10_000)}\x1b[201~`);
			await terminal.waitFor(/xxxxx|\[paste/);
			await enter(stage, terminal);
			await terminal.waitFor('Understood.');
		},
	},
	'a draft': {steps: 5, act: async stage => type5(stage, await ready(stage))},
	'a draft while the program starts': {
		steps: 5,
		async act(stage) {
			const terminal = await stage.open();
			await terminal.waitFor('❯');
			await type5(stage, terminal);
		},
	},
	'a draft that is set aside': {
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage);
			await send(terminal, 'hello');
			await answered(terminal, 'hello');
			await type(stage, terminal);
			stage.step();
			terminal.write(keys.up);
			await terminal.waitFor('❯ hello');
			await type(stage, terminal, ' ');
			stage.step();
			terminal.write(keys.down);
			await terminal.waitFor(/❯ w/);
		},
	},
	'a draft after a message': {
		answers: [slow],
		steps: 3,
		async act(stage) {
			const terminal = await ready(stage);
			await left(terminal, await say(stage, terminal));
			await type(stage, terminal);
			await terminal.waitFor('bit ');
		},
	},
	'a draft of several lines': {
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage);
			for (let n = 0; n < 3; n++) await type(stage, terminal, n === 0 ? '' : keys.newline);
			await enter(stage, terminal);
			await terminal.waitFor('Understood.');
		},
	},
	'a completed path': {
		steps: 3,
		async act(stage) {
			const terminal = await ready(stage);
			stage.step();
			terminal.write('@note');
			await terminal.waitFor('note.txt');
			terminal.write('\t');
			await terminal.waitFor('❯ @note.txt');
			await say(stage, terminal, ' ');
			await terminal.waitFor('Understood.');
		},
	},
	'a workflow with arguments': {
		steps: 2,
		async act(stage) {
			const terminal = await ready(stage);
			await say(stage, terminal, '/audit ');
			await terminal.waitFor('Understood.');
		},
	},
	'a resumed session before it is read': {
		steps: 2,
		async act(stage) {
			await stored(stage);
			const terminal = await stage.open(['-c']);
			await terminal.waitFor('❯');
			await say(stage, terminal);
			await terminal.waitFor(screen => screen.split('Understood.').length > 2);
		},
	},
	'a draft of a resumed session before it is read': {
		steps: 5,
		async act(stage) {
			await stored(stage);
			const terminal = await stage.open(['-c']);
			await terminal.waitFor('❯');
			await type5(stage, terminal);
		},
	},
	'a message of an attached terminal': {
		steps: 2,
		async act(stage) {
			const terminal = await attached(stage);
			await say(stage, terminal);
			await terminal.waitFor(screen => screen.split('Understood.').length > 2);
		},
	},
	'a queued message of an attached terminal': {
		answers: [slow],
		steps: 2,
		async act(stage) {
			const terminal = await attached(stage);
			await terminal.waitFor(`queued: ${await say(stage, terminal)}`);
		},
	},
	'a draft of an attached terminal': {steps: 5, act: async stage => type5(stage, await attached(stage))},
	'an inline screen': {
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage, ['--inline']);
			for (let n = 0; n < 2; n++) await answered(terminal, await say(stage, terminal));
		},
	},
	'a screen reader': {
		steps: 2,
		async act(stage) {
			const terminal = await stage.open(['--screen-reader']);
			await terminal.waitFor(/idle/i);
			await say(stage, terminal);
			await terminal.waitFor('Understood.');
		},
	},
	'a child session': {
		answers: [[call('pod', {task: 'Do it.', title: 'Note'})], [...bash('sleep 0.4')], slow],
		steps: 3,
		approval: 'auto',
		async act(stage) {
			const terminal = await ready(stage);
			await send(terminal, 'go');
			await terminal.waitFor(/1 child/);
			stage.step();
			terminal.write('\x1Bn');
			await terminal.waitFor(/child: Note/);
			await say(stage, terminal);
			await terminal.waitFor('bit bit');
		},
	},
	'a queued message that is edited': {
		answers: [slow],
		steps: 5,
		async act(stage) {
			const terminal = await running(stage);
			await terminal.waitFor(`queued: ${await say(stage, terminal)}`);
			stage.step();
			terminal.write(keys.up);
			await terminal.waitFor(/❯ w/);
			await say(stage, terminal, ' ');
			await terminal.waitFor('queued: ');
		},
	},
	'messages that a cancelled turn returns': {
		answers: [slow],
		steps: 4,
		async act(stage) {
			const terminal = await running(stage);
			await terminal.waitFor(`queued: ${await say(stage, terminal)}`);
			stage.step();
			terminal.write(keys.cancel);
			await terminal.waitFor(/❯ w/);
			await type(stage, terminal, ' ');
		},
	},
	'a message that a rewind returns': {
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage);
			const typed = await say(stage, terminal);
			await answered(terminal, typed);
			stage.step();
			terminal.write('\x1b\x1b');
			await terminal.waitFor(/Rewind to before/);
			stage.step();
			terminal.write('\r');
			await terminal.waitFor(screen => !screen.includes('Rewind to before') && screen.includes(`❯ ${typed}`));
		},
	},
	'a new session after /new': {
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage);
			await send(terminal, 'hello');
			await answered(terminal, 'hello');
			await send(terminal, '/new');
			await terminal.waitFor(screen => screen.includes('Ask anything') && !screen.includes('▌ hello'));
			await left(terminal, await say(stage, terminal));
			await type(stage, terminal);
			await terminal.waitFor('Understood.');
			stage.step();
		},
	},
	'a prompt of the command line': {
		steps: 1,
		async act(stage) {
			const terminal = await stage.open([stage.word()]);
			stage.step();
			await terminal.waitFor('Understood.');
		},
	},
	'the text of an answer': {
		answers: [streaming],
		steps: 1,
		async act(stage) {
			const terminal = await running(stage);
			stage.step();
			await terminal.waitFor('r0199');
		},
	},
	'the output of a tool': {
		answers: [bash(printing), slow],
		steps: 1,
		approval: 'auto',
		async act(stage) {
			const terminal = await running(stage);
			stage.step();
			await terminal.waitFor('r1149');
		},
	},
	'the arguments of a call': {
		answers: [[{...call('write_file', {path: 'a.txt', content: received(0, 100)}), chunk: 7, delayMs: 4}], slow],
		steps: 1,
		async act(stage) {
			const terminal = await running(stage);
			stage.step();
			await terminal.waitFor('r0099');
		},
	},
};
