import {leave, send, showAlert, update, type App} from '../app.ts';
import {setApproval} from '../approval/approval-effects.ts';
import {commands, type Command, type CommandName} from '../../model/commands/commands.ts';
import {startChild} from './child-keys.ts';
import {copyAnswer} from './copy-answer.ts';
import {detach} from './detach.ts';
import {askSideQuestion} from '../pages/side-question-page.ts';
import {openApprovals} from '../pages/approvals-page.ts';
import {openConfig} from '../pages/config-page.ts';
import {contextPage} from '../../model/pages/context-state.ts';
import {helpPage, unknownTerminal} from '../../view/pages/help-page.ts';
import {openLogin} from '../pages/login-effects.ts';
import {openModels, setEffort, switchModel} from '../pages/models-page.ts';
import {permissionsPage} from '../../model/pages/page-state.ts';
import {tasksPage} from '../../model/pages/tasks-state.ts';
import {openThemes} from '../pages/themes-page.ts';
import {showRequest} from '../pages/context-page.ts';
import {listServers} from '../pages/mcp-effects.ts';
import {pasteImage} from './paste-image.ts';
import {switchTo} from './switch-to.ts';
import {
	addDirUsage,
	directoryAdded,
	noArgument,
	cannotExport,
	compactionUndone,
	noCompaction,
	outputsRestored,
} from '../../model/commands/texts.ts';
import type {ItemOf} from '../../../pod/protocol.ts';
import {blocksOf, type Transcript} from '../../../transcript/state.ts';

/** Runs a command. If it fails, resolves with a sentence, and the caller restores the draft. */
export async function runCommand(app: App, name: CommandName, argument: string): Promise<string | undefined> {
	const {argument: wanted}: Command = commands[name];
	if (wanted === undefined && argument !== '') return noArgument(name);
	return runners[name](app, argument);
}

/**
Returns the last compaction that was neither rewound nor undone. If inkpod automatically left tool outputs out of the
context, that counts as a compaction. The search starts at the end, because later items override earlier ones.
*/
export function lastCompaction(transcript: Transcript): ItemOf<'compaction' | 'context'> | undefined {
	const blocks = blocksOf(transcript);
	const undone = new Set<string>();
	for (let index = blocks.length - 1; index >= 0; index--) {
		const block = blocks[index];
		if (block === undefined || !('item' in block) || block.item === undefined || undone.has(block.item.id))
			continue;
		const {item} = block;
		if (item.type === 'compaction' || (item.type === 'context' && item.rule !== undefined)) return item;
		if (item.type === 'context' && item.op === 'restore') for (const id of item.ids) undone.add(id);
		const to = item.type === 'rewind' ? transcript.folded.byItem.get(item.to) : undefined;
		if (to !== undefined && to < index) index = to + 1;
	}
	return undefined;
}

const runners: {readonly [Name in CommandName]: (app: App, argument: string) => Promise<string | undefined>} = {
	async help(app) {
		app.dispatch({
			type: 'open page',
			page: helpPage(app.state.setup.keymap, app.options.terminal?.() ?? unknownTerminal),
		});
		return undefined;
	},
	new: async app => switchTo(app, {kind: 'new'}),
	clear: async app => switchTo(app, {kind: 'new'}),
	resume: async (app, id) => switchTo(app, id === '' ? {kind: 'pick'} : {kind: 'id', id}),
	sessions: async app => switchTo(app, {kind: 'pick', isByNeed: true}),
	async diff(app) {
		const client = await app.client.promise;
		const [{diffPage}, changes] = await Promise.all([import('../../view/pages/diff-page.ts'), client.changes()]);
		app.dispatch({type: 'open page', page: diffPage(changes)});
		return undefined;
	},
	copy: copyAnswer,
	export: exportTo,
	paste: pasteImage,
	btw: askSideQuestion,
	compact,
	async workflows(app) {
		const client = await app.client.promise;
		const [{workflowsPage}, workflows] = await Promise.all([
			import('../../view/pages/workflows.ts'),
			client.workflows(),
		]);
		app.dispatch({type: 'open page', page: workflowsPage(workflows)});
		return undefined;
	},
	mcp: listServers,
	async tasks(app) {
		app.dispatch({type: 'open page', page: tasksPage()});
		return undefined;
	},
	pod: startChild,
	async background(app) {
		const receipt = await send(app, {method: 'move_to_background'});
		return receipt.accepted ? undefined : receipt.sentence;
	},
	async 'add-dir'(app, path) {
		if (path === '') return addDirUsage;
		const receipt = await send(app, {method: 'add_dir', path});
		if (!receipt.accepted) return receipt.sentence;
		showAlert(app, {level: 'info', text: directoryAdded(path)});
		return undefined;
	},
	async permissions(app) {
		const client = await app.client.promise;
		app.dispatch({type: 'open page', page: permissionsPage(await client.permissions())});
		return undefined;
	},
	approval: setApproval,
	approvals: openApprovals,
	async model(app, name) {
		if (name !== '') return switchModel(app, {name, effort: undefined});
		await openModels(app);
		return undefined;
	},
	async login(app, word) {
		await openLogin(app, word);
		return undefined;
	},
	config: openConfig,
	theme: openThemes,
	effort: setEffort,
	async context(app) {
		const client = await app.client.promise;
		const ledger = await client.ledger();
		app.dispatch({type: 'open page', page: contextPage(ledger)});
		return undefined;
	},
	request: showRequest,
	async cost(app) {
		const client = await app.client.promise;
		const [{costPage}, spending] = await Promise.all([import('../../view/pages/cost-page.ts'), client.spending()]);
		app.dispatch({type: 'open page', page: costPage(spending)});
		return undefined;
	},
	async rewind(app) {
		const {openRewind} = await import('../pages/rewind/rewind-commands.ts');
		return openRewind(app);
	},
	async undo(app) {
		const {undoLast} = await import('../pages/rewind/rewind-commands.ts');
		return undoLast(app);
	},
	async rename(app, title) {
		const receipt = await send(app, {method: 'rename', title});
		return receipt.accepted ? undefined : receipt.sentence;
	},
	fork: async app => switchTo(app, {kind: 'fork'}),
	detach,
	async quit(app) {
		update(app, {type: 'accepted'});
		await leave(app);
		return undefined;
	},
};

/** Exports the session to a file, without secrets. Resolves with a sentence if nothing was written. */
async function exportTo(app: App, file: string): Promise<string | undefined> {
	const {exportSession} = app.options;
	if (exportSession === undefined) return cannotExport;
	const {ok, sentence} = await exportSession(file);
	if (!ok) return sentence;
	showAlert(app, {level: 'info', text: sentence});
	return undefined;
}

/**
Starts a compaction, or undoes the last one. A compaction may take a minute. You can keep typing, and an alert shows the
result. Resolves with a sentence if this is not possible now.
*/
async function compact(app: App, argument: string): Promise<string | undefined> {
	if (argument === 'undo') return undo(app);
	void begin(app, argument);
	return undefined;
}

async function begin(app: App, hint: string): Promise<void> {
	const receipt = await send(app, {method: 'compact', ...(hint !== '' && {hint})});
	if (!receipt.accepted)
		showAlert(app, {level: receipt.code === 'aborted' ? 'info' : 'error', text: receipt.sentence});
}

async function undo(app: App): Promise<string | undefined> {
	await app.client.promise;
	const last =
		app.state.transcript.store === undefined ? undefined : lastCompaction(app.state.transcript.store.transcript);
	if (last === undefined) return noCompaction;
	const receipt = await send(app, {method: 'context', op: 'restore', ids: [last.id]});
	if (!receipt.accepted) return receipt.sentence;
	showAlert(app, {level: 'info', text: last.type === 'compaction' ? compactionUndone : outputsRestored});
	return undefined;
}
