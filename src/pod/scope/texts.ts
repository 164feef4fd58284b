import {t} from '../../language/index.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import type {ScopeFailure} from './scope.ts';

/** The texts about the scope for the user. Texts that the model also reads are in owners.ts. */
export const scopeTexts = {
	noDirectory: t`No directory given.`,
	notAdded: (path: string, reason: ScopeFailure) =>
		t`Cannot add directory ${quoteUntrusted(path)}: ${scopeFailures[reason]}.`,
	/** The question about all folders that a session could read before. */
	again: {
		title: t`Let this session read these directories again?`,
		choices: [
			{choice: 'add', label: t`Yes`},
			{choice: 'deny', label: t`No`, refuses: true},
		],
	},
};

const scopeFailures: Readonly<Record<ScopeFailure, string>> = {
	not_found: t`it does not exist`,
	not_a_directory: t`it is not a directory`,
	io: t`it cannot be read`,
};
