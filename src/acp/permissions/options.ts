import type {PermissionOption, PermissionOptionKind} from '@agentclientprotocol/sdk';
import type {Ask, AskChoice} from '../../pod/protocol.ts';
import {permissionTexts} from '../texts.ts';

/** The id of the option that rejects the same question for the rest of the session. The pod does not know it. */
export const rejectAlways = 'reject_always';

/**
Returns the options of a question. `allow_always` is only what is saved for exactly this text. The choices that would
allow other commands, too, are left out: an editor may answer with the first option of a kind without showing it.
*/
export function optionsOf({choices, callId}: Ask): PermissionOption[] {
	const offered = choices.filter(({choice}) => !choice.endsWith('_alike'));
	const options = offered.map((choice): PermissionOption => ({
		optionId: choice.choice,
		name: choice.label,
		kind: kindOf(choice),
	}));
	const sorted = options.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
	if (callId === undefined) return sorted;
	return [...sorted, {optionId: rejectAlways, name: permissionTexts.rejectAlways, kind: 'reject_always'}];
}

const order: readonly PermissionOptionKind[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

function kindOf({choice, refuses}: AskChoice): PermissionOptionKind {
	if (refuses === true) return 'reject_once';
	return saved.has(choice) ? 'allow_always' : 'allow_once';
}

/** The choices that are saved on disk: a rule for exactly this text, and trust in exactly these contents. */
const saved: ReadonlySet<string> = new Set(['always', 'trust']);

/** Returns the rule that "Always" writes, for the text of the question. */
export function ruleOf({choices}: Ask): string | undefined {
	return choices.find(({choice}) => choice === 'always')?.rule;
}

/** Returns the choice that refuses. Every question has one. */
export function refusalOf({choices}: Ask): string {
	return choices.find(({refuses}) => refuses === true)?.choice ?? '';
}
