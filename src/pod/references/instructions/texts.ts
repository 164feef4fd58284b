import {t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';
import {instructionLimits} from '../../config/limits.ts';
import type {RefusedReason} from './find.ts';

/** The texts that a user reads about instructions. */
export const instructionTexts = {
	notSent: (file: string, reason: Exclude<RefusedReason, 'rule'>) =>
		t`${quoteUntrusted(file)} was not sent to the model: ${reasons[reason]}.`,
	/** `why` is the end of a sentence, including its full stop. */
	refusedByRule: (file: string, why: string) => t`${quoteUntrusted(file)} was not sent to the model: ${why}`,
	overBudget: (file: string) =>
		t`${quoteUntrusted(file)} was not sent to the model:
			the instructions of a session are limited to ${instructionLimits.maxTotalBytes / 1024} KB.`,
};

const reasons: Readonly<Record<Exclude<RefusedReason, 'rule'>, string>> = {
	out_of_scope: t`it is a link that leads outside the allowed directories`,
	not_a_file: t`it is not a regular file (a pipe, device or socket)`,
	is_directory: t`it is a directory`,
	binary: t`it is binary or not valid UTF-8 text`,
	too_large: t`it is larger than ${instructionLimits.maxScanBytes / 1024 ** 2} MB`,
	denied: t`it is a link to a file that looks like a secret`,
	io: t`it could not be read`,
};
