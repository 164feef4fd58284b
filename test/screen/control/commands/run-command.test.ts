import {describe, expect, it} from 'vitest';
import type {Method} from '../../../../src/pod/protocol.ts';
import {commandNames, type CommandName} from '../../../../src/screen/model/commands/commands.ts';
import {fakeApp, fakePod, settled, until} from '../../../helpers/fake-app.ts';

/** What a command does: it opens a page, sends a method, switches the session, or shows a text. */
type Effect = {readonly type?: string} & (
	| {readonly page: string}
	| {readonly sends: Method}
	| {readonly switches: unknown}
	| {readonly says: string}
);

/** A new command needs a line here. `type` is what you type after the name. */
const effects: {readonly [Name in CommandName]: Effect} = {
	help: {page: 'help'},
	new: {switches: {kind: 'new'}},
	clear: {switches: {kind: 'new'}},
	resume: {type: ' 01A', switches: {kind: 'id', id: '01A'}},
	sessions: {switches: {kind: 'pick', isByNeed: true}},
	diff: {page: 'text'},
	export: {type: ' a.md', says: 'A session can only be exported on the machine that has it.'},
	copy: {says: 'Copying is not available here.'},
	paste: {says: 'The clipboard cannot be read here.'},
	workflows: {page: 'text'},
	mcp: {type: ' disable my server', sends: {method: 'change_mcp', server: 'my server', action: 'disable'}},
	tasks: {page: 'tasks'},
	pod: {type: ' Look round.', sends: {method: 'start_child', task: 'Look round.'}},
	background: {sends: {method: 'move_to_background'}},
	'add-dir': {type: ' ../a', sends: {method: 'add_dir', path: '../a'}},
	permissions: {page: 'permissions'},
	approvals: {page: 'approvals'},
	approval: {type: ' accept-edits', sends: {method: 'approval', mode: 'accept-edits'}},
	model: {page: 'models'},
	login: {page: 'login'},
	config: {says: 'The settings cannot be changed here.'},
	theme: {says: 'Themes are not available here.'},
	effort: {type: ' high', sends: {method: 'model', name: 'test/model', effort: 'high'}},
	btw: {type: ' why?', says: 'This pod answers no side questions.'},
	compact: {type: ' the tests', sends: {method: 'compact', hint: 'the tests'}},
	context: {page: 'context'},
	request: {page: 'text'},
	cost: {page: 'text'},
	rewind: {says: 'No messages to rewind to.'},
	rename: {type: ' The title', sends: {method: 'rename', title: 'The title'}},
	undo: {says: 'No message to undo.'},
	fork: {switches: {kind: 'fork'}},
	detach: {switches: {kind: 'detach', resumes: false}},
	quit: {sends: {method: 'shutdown'}},
};

describe('a slash command', () => {
	it.each(commandNames)('has its effect: /%s', async name => {
		const switches: unknown[] = [];
		const {app, pod, type, press, told} = await fakeApp(fakePod(), {
			async onSwitch(to) {
				switches.push(to);
				return {ok: false, sentence: 'No.'};
			},
		});
		const effect = effects[name];
		const seen = () => ({page: app.state.page?.kind, sends: pod.said[0], switches: switches[0], says: told()[0]});
		const {type: argument = '', ...expected} = effect;
		type(`/${name}${argument}`);
		press('enter');
		const [key] = Object.keys(expected) as [keyof ReturnType<typeof seen>];
		await until(() => seen()[key] !== undefined);
		await settled();
		expect(seen()).toMatchObject(expected);
	});

	it.each(commandNames.filter(opensPage))('holds the next keys for its page: /%s', async name => {
		const {app, type, press} = await fakeApp();
		type(`/${name}${effects[name].type ?? ''}`);
		press('enter');
		expect(app.state.keys.hold).toBeDefined();
		await until(() => app.state.page !== undefined);
	});
});

function opensPage(name: CommandName): boolean {
	return 'page' in effects[name];
}
