import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import type {Receipt} from '../protocol.ts';
import {accepted} from '../run/status/job.ts';
import type {Hub} from '../run/status/hub.ts';
import {confinementOfBash} from '../tools/commands/bash-confinement.ts';
import {bashStopTool, bashTool} from '../tools/commands/bash.ts';
import {createBackground, type Background} from '../tools/processes/background.ts';
import {keptOutputs, outputDir} from '../tools/processes/output-file.ts';
import {commandTexts} from './texts.ts';

/** The model's commands, including commands in the background. */
export function commandsFeature(pod: PodParts): Feature {
	const {options, session, permissions} = pod;
	const {scope, widen} = session;
	const {limits, env, clock} = options;
	const background = createSessionBackground(pod);
	const commands = {
		scope,
		env,
		clock,
		maxOutputBytes: limits.tools.maxOutputBytes,
		maxScanBytes: limits.fileRefs.maxScanBytes,
		outputDir: outputDir(options.session.dir),
		background,
		onKept: async () => widen(keptOutputs(options.session.dir)),
		...confinementOfBash(permissions.confinement, session, permissions.approvals),
	};
	return {
		name: 'commands',
		tools: [bashTool(commands), bashStopTool(commands)],
		methods: createMethods(background),
		queries: {backgroundOutput: async id => background.output(id)},
		running: () => ({
			count: commandTexts.running,
			lines: background.running().map(({id, command}) => `${id}  ${command}`),
		}),
		stop: async () => background.close(),
	};
}

function createSessionBackground({options: {clock, session}, session: {hub}, send}: PodParts): Background {
	return createBackground({
		clock,
		dir: outputDir(session.dir),
		async onEnd(text, {id, run, isStopped}) {
			const receipt = await send({method: 'notify', text, run});
			// No request delivers the notification now, so inkpod tells the user that the model gets it later.
			const isLater = hub.status().kind === 'paused' || (!run && hub.status().kind === 'idle');
			if (receipt.accepted && isLater && !isStopped)
				hub.alert({level: 'info', text: commandTexts.reportedLater(id)});
			return isReported(receipt, hub);
		},
		onChange: running => hub.setStatus({background: running.length === 0 ? undefined : running}),
	});
}

/**
Tells whether the end of a background command needs no other report. If the pod refuses the notification because it is
closing, the pod reports the end when it closes.
*/
function isReported(receipt: Receipt, hub: Hub): boolean {
	if (receipt.accepted || receipt.code === 'closed') return receipt.accepted;
	hub.alert({level: 'error', text: commandTexts.notReported(receipt.sentence)});
	return true;
}

function createMethods(background: Background): NonNullable<Feature['methods']> {
	const known = (id: string, isThere: boolean): Receipt =>
		isThere ? accepted : {accepted: false, code: 'no_such_command', sentence: commandTexts.notRunning(id)};
	return {
		stop_background: async ({background: id}) => known(id, (await background.stop(id, 'user')) !== undefined),
		wake_background: async ({background: id, wakes}) => known(id, background.setWakes(id, wakes)),
		async move_to_background() {
			const reason = background.moveHere();
			if (reason === undefined) return accepted;
			return {accepted: false, code: 'no_such_command', sentence: commandTexts.notMoved[reason]};
		},
	};
}
