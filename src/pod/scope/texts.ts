import {t} from '../../language/index.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import type {ScopeFailure} from './scope.ts';

/** The texts that a user reads about the scope. The model also reads the texts of owners.ts. */
export const scopeTexts = {
	noDirectory: t`No directory given.`,
	notAdded: (path: string, reason: ScopeFailure) =>
		t`Cannot add directory ${quoteUntrusted(path)}: ${scopeFailures[reason]}.`,
	/** `notAdded` is about one folder; this question is about all that a session could read before. */
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
