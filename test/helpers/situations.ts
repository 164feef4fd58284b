import {attachedFiles} from './situations/attached-files.ts';
import {calls} from './situations/calls.ts';
import {children} from './situations/children.ts';
import {commands} from './situations/commands.ts';
import {invocations} from './situations/invocations.ts';
import {oddText} from './situations/odd-text.ts';
import {sessionItems} from './situations/session-items.ts';
import type {Situation} from './situations/situation.ts';
import {webPages} from './situations/web-pages.ts';

export type {Situation} from './situations/situation.ts';

/** Sessions by name. Each session is a folder of test/fixtures. */
export const situations: {readonly [name: string]: () => Situation} = {
	...attachedFiles,
	...calls,
	...children,
	...commands,
	...invocations,
	...oddText,
	...sessionItems,
	...webPages,
};
