import {z} from 'zod';
import {cutText} from '../../worker/index.ts';

/** The codes of refused methods. */
export const refusals = [
	'busy',
	'workflow',
	'untrusted',
	'hook',
	'media',
	'model',
	'other_model',
	'aborted',
	'io',
	'not_paused',
	'not_running',
	'no_such_ask',
	'no_such_child',
	'no_such_command',
	'no_such_dir',
	'no_such_item',
	'no_such_message',
	'no_such_model',
	'no_such_rule',
	'no_such_server',
	'key',
	'not_idle',
	'closed',
	'empty',
	'compaction',
	'queue_full',
] as const;

export type Refusal = (typeof refusals)[number];

/**
A sentence from another process that is shown or printed. Its length is limited, so that the other process cannot fill
the screen.
*/
export const sentence = z.string().transform(text => cutText(text, maxSentenceBytes).text);

const maxSentenceBytes = 4096;
