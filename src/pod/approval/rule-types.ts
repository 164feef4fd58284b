import type {RulePlace} from './path-match.ts';

/**
A decision about some calls in advance. `tool`: a glob over the tool's name. `match`: a glob over what the call is about
(see Subject); absent: every call of the tool. `exact` instead of it: the same text that the user saw.
*/
export type Rule = {
	readonly tool: string;
	readonly match?: string | undefined;
	readonly exact?: string | undefined;
	readonly action: RuleAction;
};
export const ruleActions = ['allow', 'ask', 'deny'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** What a call is about. */
export type Subject =
	| {readonly kind: 'command'; readonly command: string}
	/**
	`names`: from `pwd`; the last one is the real place of the file. `isRunLater`: its tool knows that other programs
	execute it.
	*/
	| {
			readonly kind: 'path';
			readonly names: readonly string[];
			readonly place: RulePlace;
			readonly isRunLater?: boolean;
	  }
	| {readonly kind: 'tool'; readonly tool: string};
