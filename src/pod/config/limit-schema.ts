import {z} from 'zod';
import {count} from './value-schema.ts';

/** The limits that the user and a project set. */
export const limits = {
	file_refs: z
		.strictObject({
			max_bytes: count.meta({about: 'bytes of one attached file', fallback: '16384', more: 'attach-files.md'}),
			max_files: count.meta({about: 'attached files in one message', fallback: '5'}),
			max_total_bytes: count.meta({about: 'bytes of all attached files in one message', fallback: '65536'}),
			max_scan_bytes: count.meta({about: 'bytes of the largest file that inkpod reads', fallback: '268435456'}),
		})
		.optional(),
	tools: z
		.strictObject({
			max_output_bytes: z.number().int().min(1024).optional().meta({
				about: "bytes of a tool's output in the context",
				fallback: '51200',
			}),
		})
		.optional(),
	retry: z
		.strictObject({
			max_attempts: count.meta({about: 'attempts at a request that fails', fallback: '6'}),
			max_wait: z.number().min(0).max(86_400).optional().meta({
				about: 'the longest wait that a server may ask for',
				unit: 'seconds',
				fallback: '600',
			}),
		})
		.optional(),
	compaction: z
		.strictObject({
			threshold: z.number().min(0.1).max(1).optional().meta({
				about: 'the share of the window at which older turns are summarised',
				fallback: '0.8',
				more: 'compaction.md',
			}),
			retained_tokens: count.meta({
				about: 'tokens of recent history that stay verbatim',
				fallback: '8000',
			}),
			auto_read_tokens: z.number().int().min(0).optional().meta({
				about: 'tokens of files that are read again after a summary',
				fallback: '8000',
			}),
		})
		.optional(),
	max_turns: count.meta({
		about: 'model calls in one turn; also `--max-turns`',
		fallback: 'none (100 in print mode)',
	}),
};

const cost = z.number().positive().max(1_000_000).optional();

/**
The limits of all requests together. A cost is in USD. Only the user may set them, because a project spends the user's
money.
*/
export const budget = z.strictObject({
	session_cost: cost.meta({about: 'what one session may cost', type: 'USD', fallback: 'none'}),
	session_turns: count.meta({about: 'model calls in one session', fallback: 'none'}),
	day_cost: cost.meta({
		about: 'what all your sessions may cost since midnight, local time',
		type: 'USD',
		fallback: 'none',
	}),
	day_turns: count.meta({about: 'model calls in all your sessions since midnight', fallback: 'none'}),
});
