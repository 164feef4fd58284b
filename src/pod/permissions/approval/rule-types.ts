import type {RulePlace} from './path-match.ts';

/**
A decision about some calls that is made in advance. `tool` is a glob over the tool's name. `match` is a glob over the
subject of the call. Without `match` the rule applies to every call of the tool. `exact` replaces `match`: it is the
exact text that the user saw. `begins` also replaces `match`: the first words of simple commands, whose other words are
harmless (command-pattern.ts). Only a card creates `exact` and `begins`.
*/
export type Rule = {
	readonly tool: string;
	readonly match?: string | undefined;
	readonly exact?: string | undefined;
	readonly begins?: readonly string[] | undefined;
	readonly action: RuleAction;
};
export const ruleActions = ['allow', 'ask', 'deny'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** The subject of a call. */
export type Subject =
	| {readonly kind: 'command'; readonly command: string}
	/**
	`names` are paths from `pwd`; the last one is the real path of the file. `isRunLater`: the tool knows that other
	programs execute the file.
	*/
	| {
			readonly kind: 'path';
			readonly names: readonly string[];
			readonly place: RulePlace;
			readonly isRunLater?: boolean;
	  }
	/** `url` is in the form of the URL parser. */
	| {readonly kind: 'url'; readonly url: string}
	| {readonly kind: 'tool'; readonly tool: string};
