import type {BackgroundCommand, BackgroundOutput} from '../../pod/protocol.ts';
import {dismissAlerts, say, statusOf, tell, type App} from '../state/app.ts';
import {chordOf} from '../keys.ts';
import {listStart, moveInList, withinList} from '../overlay/list.ts';
import type {LivePage} from '../overlay/page.ts';
import type {Key} from '../screen/stdin.ts';
import {countOutputRows, roomOf, tasksRows, type TasksView} from './tasks-rows.ts';

/** The commands in the background: a list, and the output of the one that is opened. It is read again every second. */
export function tasksPage(app: App): LivePage {
	const {keymap} = app.state.setup;
	let list = listStart;
	let opened: {readonly command: BackgroundCommand; readonly output?: BackgroundOutput | undefined} | undefined;
	let below = 0;
	let size = {columns: 80, height: 24};

	const running = () => statusOf(app.state).background ?? [];
	const isRunning = (id: string) => running().some(command => command.id === id);
	const page: LivePage = {press, rows: (columns, height) => {
		size = {columns, height};
		list = withinList(list, running().length, roomOf(height));
		return tasksRows(viewNow(), {...size, now: app.options.now()});
	}};

	function viewNow(): TasksView {
		if (opened === undefined) return {kind: 'list', commands: running(), ...list};
		return {kind: 'output', ...opened, isRunning: isRunning(opened.command.id), below};
	}

	function press(key: Key): boolean {
		return opened === undefined ? pressOnList(key) : pressOnOutput(opened.command, key);
	}

	function pressOnList(key: Key): boolean {
		const moved = moveInList(list, key, {keymap, count: running().length, room: roomOf(size.height)});
		const chosen = running()[list.at];
		if (moved !== undefined) list = moved;
		else if (chosen !== undefined && keymap.action(key) === 'submit') open(chosen);
		else if (chosen !== undefined && chordOf(key) === 'x') void stop(app, chosen.id);
		else return false;
		return true;
	}

	function pressOnOutput({id}: BackgroundCommand, key: Key): boolean {
		const count = countOutputRows(opened?.output, size.columns);
		const last = Math.max(0, count - roomOf(size.height));
		const moved = moveInList({at: last - below, top: 0}, key, {keymap, count: last + 1, room: roomOf(size.height)});
		if (moved !== undefined) below = last - moved.at;
		else if (key.name === 'escape' || keymap.action(key) === 'pause') opened = undefined;
		else if (chordOf(key) === 'x' && isRunning(id)) void stop(app, id);
		else return false;
		return true;
	}

	function open(command: BackgroundCommand): void {
		opened = {command};
		below = 0;
		void read(command);
	}

	/** What was read last stays when the command has ended. */
	async function read(command: BackgroundCommand): Promise<void> {
		const client = await app.client.promise;
		const output = await client.backgroundOutput(command.id).catch(() => undefined);
		if (opened?.command.id === command.id && output !== undefined) opened = {command, output};
		app.changed('now');
	}

	function tick(): void {
		if (app.state.page !== page || app.state.quitting) return;
		if (opened !== undefined && isRunning(opened.command.id)) void read(opened.command);
		else app.changed('soon');
		setTimeout(tick, 1000).unref();
	}

	setTimeout(tick, 1000).unref();
	return page;
}

async function stop(app: App, id: string): Promise<void> {
	dismissAlerts(app);
	const receipt = await say(app, {method: 'stop_background', background: id});
	if (receipt.accepted) tell(app, {level: 'info', text: `Stopped background task ${id}.`});
	else tell(app, {level: 'error', text: receipt.sentence});
}
