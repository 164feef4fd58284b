import {quit, say, statusOf, tell, update, type App, type Destination} from '../app-state.ts';
import {setApproval} from '../approval-mode.ts';
import {toSegments} from '../composer/segments.ts';
import {commands, type Command, type CommandName} from './commands.ts';
import {compact} from './compact.ts';
import {copyAnswer} from './copy-answer.ts';
import {helpPage, unknownTerminal} from './help.ts';

/** Does what a command says. Resolves with one sentence when it could not be done: the person gets the draft back. */
export async function runCommand(app: App, name: CommandName, argument: string): Promise<string | undefined> {
	const {argument: wanted}: Command = commands[name];
	if (wanted === undefined && argument !== '') return `/${name} takes no argument.`;
	return runners[name](app, argument);
}

const runners: {readonly [Name in CommandName]: (app: App, argument: string) => Promise<string | undefined>} = {
	async help(app) {
		app.page = helpPage(app.options.keymap, app.options.terminal?.() ?? unknownTerminal);
		return undefined;
	},
	new: async app => switchTo(app, {kind: 'new'}),
	resume: async (app, id) => switchTo(app, id === '' ? {kind: 'pick'} : {kind: 'id', id}),
	copy: async (app, argument) => copyAnswer(app, argument),
	compact,
	async workflows(app) {
		const client = await app.client.promise;
		const [{workflowsPage}, workflows] = await Promise.all([import('./workflows-page.ts'), client.workflows()]);
		app.page = workflowsPage(workflows);
		return undefined;
	},
	async mcp(app) {
		const client = await app.client.promise;
		const [{mcpPage}, servers] = await Promise.all([import('./mcp-page.ts'), client.mcp()]);
		app.page = mcpPage(servers);
		return undefined;
	},
	async 'add-dir'(app, path) {
		if (path === '') return '/add-dir needs a folder: /add-dir ../other.';
		const receipt = await say(app, {method: 'add_dir', path});
		if (!receipt.accepted) return receipt.sentence;
		tell(app, {level: 'info', text: `From the next request on ${path} may be read.`});
		return undefined;
	},
	approval: setApproval,
	async quit(app) {
		update(app, {type: 'accepted'});
		await quit(app);
		return undefined;
	},
};

/** Leaves this session for another one, once that is ready. What runs or waits is not left behind. */
async function switchTo(app: App, to: Destination): Promise<string | undefined> {
	const {onSwitch} = app.options;
	if (onSwitch === undefined) return 'This screen shows one session only.';
	await app.client.promise;
	if (statusOf(app).kind === 'running') return 'A run is under way: Esc stops it, Ctrl+C cancels it, then you can go.';
	if (app.queue.length > 0) return 'Messages are waiting: send them, or take them back with ↑ on an empty draft, then you can go.';
	const switched = await onSwitch(to);
	if (!switched.ok) return switched.sentence;
	const draft = toSegments(app.composer.editor.draft);
	update(app, {type: 'accepted'});
	update(app, {type: 'clear'});
	switched.leave(draft);
	return undefined;
}
