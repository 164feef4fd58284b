import {t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';

export const notDeliveredText = t`Not sent: the turn had ended.`;
export const stoppedText = t`Stopped before it began.`;
export const cancelledText = t`Cancelled before it was sent.`;

/** Returns the question before a session continues in another directory. */
export function directoryQuestion(from: string, to: string): {readonly title: string; readonly detail: string} {
	return {
		title: t`Continue this session in another directory?`,
		detail: t`Working directory so far\n${from}\nWorking directory from now on\n${to}`,
	};
}

export const directoryChoices = [
	{choice: 'allow', label: t`Yes, from now on`},
	{choice: 'deny', label: t`No`, refuses: true},
];

export function otherDirectory(from: string, to: string): string {
	return t`This session works in ${quoteUntrusted(from)}, not in ${quoteUntrusted(to)}. Use --cwd to continue here.`;
}

export function directoryDenied(from: string): string {
	return t`Nothing was sent: the session stays in ${quoteUntrusted(from)}. Start inkpod there, or use /new here.`;
}
