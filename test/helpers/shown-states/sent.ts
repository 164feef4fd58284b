import {pressUntil, send} from '../chat.ts';
import {
	answered,
	bash,
	call,
	keys,
	onCard,
	printing,
	question,
	ready,
	received,
	running,
	said,
	say,
	short,
	slow,
	type,
	type5,
	type State,
} from './stage.ts';

/** What the user sends. */
export const sentStates: Readonly<Record<string, State>> = {
	'a first message while the program starts': {
		steps: 2,
		async act(stage) {
			const terminal = await stage.open();
			await terminal.waitFor('❯');
			await say(stage, terminal);
			await terminal.waitFor('Understood.');
		},
	},
	'Enter together with the first frame': {
		steps: 2,
		async act(stage) {
			const terminal = await stage.open();
			await terminal.waitFor(() => terminal.bytes() > 0);
			stage.step();
			terminal.write(stage.word());
			stage.step();
			terminal.write('\r');
			await terminal.waitFor('Understood.');
		},
	},
	'a first message': {
		steps: 2,
		async act(stage) {
			const terminal = await ready(stage);
			await say(stage, terminal);
			await terminal.waitFor('Understood.');
		},
	},
	'a second message': {
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage);
			for (let n = 0; n < 2; n++) await answered(terminal, await say(stage, terminal));
		},
	},
	'a queued message': {
		answers: [slow],
		steps: 6,
		async act(stage) {
			const terminal = await running(stage);
			for (let n = 0; n < 3; n++) await terminal.waitFor(`queued: ${await say(stage, terminal)}`);
		},
	},
	'a steering message': {
		answers: [[said('bit '), ...bash('sleep 0.3')], [...bash('sleep 0.3')], slow],
		steps: 4,
		approval: 'auto',
		async act(stage) {
			const terminal = await running(stage);
			for (let n = 0; n < 2; n++) await say(stage, terminal, '', keys.steer);
			await terminal.waitFor('bit bit');
		},
	},
	'a reason at a permission card': {
		answers: [bash('echo 1'), slow],
		steps: 2,
		async act(stage) {
			const terminal = await onCard(stage);
			await type(stage, terminal);
			stage.step();
			await pressUntil(terminal, '\r', 'bit ');
		},
	},
	'a draft at a permission card': {
		answers: [bash('echo 1'), slow],
		steps: 5,
		act: async stage => type5(stage, await onCard(stage)),
	},
	'a reason at a plan': {
		answers: [[call('plan', {plan: '# Plan\n\nDo it.'})], slow],
		steps: 2,
		approval: 'plan',
		async act(stage) {
			const terminal = await onCard(stage);
			await type(stage, terminal);
			stage.step();
			await pressUntil(terminal, '\r', 'bit ');
		},
	},
	'answers to questions': {
		answers: [[question], slow],
		steps: 4,
		async act(stage) {
			const terminal = await ready(stage);
			await send(terminal, 'go');
			await terminal.waitFor('Which way?');
			for (const next of ['And why?', 'bit ']) {
				await type(stage, terminal);
				stage.step();
				await pressUntil(terminal, '\r', next);
			}
		},
	},
	'a side question': {
		answers: [short, [said(received(0, 60), {chunk: 7, delayMs: 4})]],
		steps: 2,
		async act(stage) {
			const terminal = await ready(stage);
			await send(terminal, 'hello');
			await answered(terminal, 'hello');
			await say(stage, terminal, '/btw ');
			await terminal.waitFor(/r0059/);
		},
	},
	'a side question while a turn runs': {
		answers: [slow, [said(received(0, 60), {chunk: 7, delayMs: 4})]],
		steps: 2,
		async act(stage) {
			const terminal = await running(stage);
			await say(stage, terminal, '/btw ');
			await terminal.waitFor(/r0059/);
		},
	},
	'a command': {
		steps: 2,
		async act(stage) {
			const terminal = await ready(stage);
			await say(stage, terminal, '!sleep 0.2; : ');
			await terminal.waitFor(/exit 0|no output/);
		},
	},
	'a command as the first message at once': {
		steps: 2,
		async act(stage) {
			const terminal = await stage.open();
			await terminal.waitFor('❯');
			await say(stage, terminal, '!sleep 0.2; : ');
			await terminal.waitFor(/exit 0|no output/);
		},
	},
	'a queued command': {
		answers: [[said('bit '.repeat(20), {chunk: 4, delayMs: 20})]],
		steps: 2,
		async act(stage) {
			const terminal = await running(stage);
			await say(stage, terminal, '!: ');
			await terminal.waitFor(/exit 0|no output/);
		},
	},
	'the output of a command': {
		steps: 1,
		async act(stage) {
			const terminal = await ready(stage);
			await send(terminal, `!${printing}`);
			await terminal.waitFor(/r1\d{3}/);
			stage.step();
			await terminal.waitFor('r1149');
		},
	},
};
