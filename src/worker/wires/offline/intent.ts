import type {Target} from './targets.ts';

/** What the user requests, as far as the rules recognise it. */
export type Intent =
	| {readonly kind: 'list'; readonly pattern: string; readonly path?: string}
	| {
			readonly kind: 'search';
			readonly pattern: string;
			readonly path?: string;
			readonly glob?: string;
			readonly output: 'content' | 'files' | 'count';
	  }
	| {readonly kind: 'read'; readonly targets: readonly Target[]}
	| {readonly kind: 'replace'; readonly old: string; readonly new: string; readonly path: string}
	| {readonly kind: 'write'; readonly path: string; readonly content: string}
	| {readonly kind: 'run'; readonly command: string};

/** Reads one clause of a message. Returns `undefined` if this rule does not match. Another rule may match then. */
export type Rule = (clause: string) => Intent | undefined;
