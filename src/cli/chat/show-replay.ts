import {resolve} from 'node:path';
import type {ReplayLaunch} from '../start/launch.ts';
import type {Plan} from '../../pod/first-frame.ts';
import {decodeBundle, planStart} from '../../pod/first-frame.ts';
import {openScreen, type Screen} from '../../screen/mount/open-screen.ts';
import {createDraftSlot} from '../../screen/control/drafts/draft-store.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ReadingBundle} from '../replay/open-replay.ts';
import type {Opened} from '../replay/open-replay.ts';
import type {ChatIo} from './session-screen.ts';
import {createExitSignals} from './exit-signals.ts';
import {chatViews, loadView} from './load-view.ts';
import {restoreTerminal} from './exit-signals.ts';
import {kindOf, screenOptions} from './show-session.ts';
import {needsTerminal} from './texts.ts';

/**
Implements `inkpod replay ID|BUNDLE`: shows a stored session step by step on the screen of the chat. It only reads.
Resolves with the exit code after the terminal is restored.
*/
export async function replay({source, isBundle, start, at, speed = 1}: ReplayLaunch, io: ChatIo): Promise<number> {
	const {env, stdin, stdout, stderr} = io;
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	if (!stdin.isTTY || !stdout.isTTY) return refuse(needsTerminal, 2);
	const bundle = isBundle ? readingBundle(resolve(start.cwd ?? '.', source)) : undefined;
	const planned = await planStart({...start, session: {kind: 'new'}, model: 'offline'}, env);
	if (!planned.ok) return refuse(planned.sentence, 2);
	const {openReplay} = await import('../replay/open-replay.ts');
	const opened = await openReplay({source, bundle, at, speed, env, cwd: start.cwd, manifest: start.manifest});
	if (!opened.ok) return refuse(opened.sentence, opened.code);
	try {
		await restoreTerminal(env);
		return await show(opened, {...planned.plan, session: {kind: 'stored', dir: opened.dir}}, start, io);
	} finally {
		await opened.close();
	}
}

function readingBundle(path: string): ReadingBundle {
	return {path, decoding: decodeBundle(path)};
}

async function show(
	{play}: Extract<Opened, {readonly ok: true}>,
	plan: Plan,
	launch: ReplayLaunch['start'],
	io: ChatIo,
): Promise<number> {
	const exitSignals = createExitSignals();
	const shown = {plan, prompt: '', draft: [], warnings: []};
	const kind = kindOf(shown, {launch, io});
	let screen: Screen | undefined;
	const player = play(line => screen?.replayAt(line));
	screen = openScreen({
		...screenOptions(shown, createDraftSlot(), kind, {launch, io}),
		view: await loadView(kind, chatViews, {env: io.env, scrollRegions: plan.screen.scrollRegions}),
		replay: player.press,
	});
	const closed = exitSignals.watch(screen);
	await screen.connect(player.pod, '');
	player.begin();
	const exit = await closed;
	player.close();
	if (exit?.error !== undefined) throw exit.error;
	return exit?.code ?? 0;
}
