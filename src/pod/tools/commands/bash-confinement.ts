import type {Alert, Ask} from '../../protocol.ts';
import type {Approvals} from '../../permissions/approval/approvals.ts';
import type {Answer} from '../../permissions/approval/asks.ts';
import type {Confinement} from '../../permissions/confine/confinement.ts';
import {confineTexts} from '../../permissions/confine/texts.ts';
import type {BashConfinement} from './bash.ts';

type AskUser = (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;

/** Returns the confinement for the tool that runs commands. */
export function confinementOfBash(
	confinement: Confinement | undefined,
	{user, hub}: {readonly user: {readonly ask?: AskUser}; readonly hub: {alert(alert: Alert): void}},
	approvals: Pick<Approvals, 'isAsked' | 'trialOf'>,
): {readonly confine?: BashConfinement} {
	if (confinement === undefined) return {};
	const {ask} = user;
	const askAgain: BashConfinement['askAgain'] =
		ask &&
		(async ({callId, signal}, line, network) => {
			const more = [
				...(network === 'none' ? [{choice: 'network', label: confineTexts.withNetwork}] : []),
				...(confinement.mode === 'require' ? [] : [{choice: 'unconfined', label: confineTexts.unconfinedOnce}]),
			];
			if (more.length === 0) return undefined;
			const answer = await ask(
				{
					callId,
					title: confineTexts.again,
					detail: line,
					choices: [...more, {choice: 'keep', label: confineTexts.keep, refuses: true}],
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
			trialOf: id => approvals.trialOf(id),
			askAgain,
			...(ask && {askProtected: protectedQuestion(ask)}),
		},
	};
}

function protectedQuestion(ask: AskUser): NonNullable<BashConfinement['askProtected']> {
	return async ({callId, signal}, paths) => {
		const answer = await ask(
			{
				callId,
				title: confineTexts.takeProtected,
				detail: paths.join('\n'),
				choices: [
					{choice: 'take', label: confineTexts.takeThem},
					{choice: 'leave', label: confineTexts.leaveThem, refuses: true},
				],
			},
			signal,
		);
		return answer?.choice === 'take';
	};
}
