import {createConfinement, type Confinement} from '../confine/confinement.ts';
import type {Network} from '../confine/settings.ts';
import {confineTexts} from '../confine/texts.ts';
import type {Approvals} from '../approval/approvals.ts';
import type {CommandOptions} from '../processes/start-command.ts';
import type {BashConfinement} from '../tools/bash.ts';
import type {PodOptions} from './options.ts';
import type {SessionParts} from './session.ts';

/** Creates the confinement of a session's commands, unless it is off. The status tells soon whether it works. */
export function assembleConfinement(
	{confine, env, child}: PodOptions,
	{scope, hub}: SessionParts,
): Confinement | undefined {
	if (confine === undefined || confine.mode === 'off') return undefined;
	const confinement = createConfinement({settings: confine, scope, env, git: child?.git});
	// The first frame does not wait for the probe.
	setTimeout(() => {
		void confinement.missing().then(why => hub.setStatus({confined: why ?? true}));
	}, probeMs).unref();
	return confinement;
}

/** The number of milliseconds after the start when inkpod finds out whether commands can be confined. */
const probeMs = 300;

/** Returns what the tool for commands needs. */
export function confinementOfBash(
	confinement: Confinement | undefined,
	{user, hub}: Pick<SessionParts, 'user'> & {readonly hub: Pick<SessionParts['hub'], 'alert'>},
	approvals: Pick<Approvals, 'isAsked'>,
): {readonly confine?: BashConfinement} {
	if (confinement === undefined) return {};
	const {ask} = user;
	const askAgain: BashConfinement['askAgain'] =
		ask &&
		(async ({callId, signal}, line, network) => {
			const withNetwork = {choice: 'network', label: confineTexts.withNetwork};
			const answer = await ask(
				{
					callId,
					title: confineTexts.again,
					detail: line,
					choices: [
						...(network === 'none' ? [withNetwork] : []),
						{choice: 'unconfined', label: confineTexts.unconfinedOnce},
						{choice: 'keep', label: confineTexts.keep, refuses: true},
					],
				},
				signal,
			);
			return answer?.choice === 'network' || answer?.choice === 'unconfined' ? answer.choice : undefined;
		});
	return {
		confine: {
			mode: confinement.mode,
			missing: async () => confinement.missing(),
			networkFor: isAsked => confinement.networkFor(isAsked),
			describe: async network => confinement.describe(network),
			launch: async (...given) => confinement.launch(...given),
			createdSince: async present => confinement.createdSince(present),
			onCreated: text => hub.alert({level: 'warn', text}),
			isAsked: id => approvals.isAsked(id),
			...(askAgain && {askAgain}),
		},
	};
}

/** Returns how commands start that are always confined, with this network. */
export function launchWith(confinement: Confinement, network: Network): NonNullable<CommandOptions['launch']> {
	return async (shell, command, env) => confinement.launch(shell, command, env, network);
}
