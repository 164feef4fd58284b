import {quoteUntrusted} from '../text/quote-untrusted.ts';

export const notDeliveredText = 'Not sent: the turn had ended.';
export const stoppedText = 'Stopped before it began.';
export const cancelledText = 'Cancelled before it was sent.';

/** Returns the question before a session continues in another directory. */
export function directoryQuestion(from: string, to: string): {readonly title: string; readonly detail: string} {
	return {
		title: 'Continue this session in another directory?',
		detail: `Working directory so far\n${from}\nWorking directory from now on\n${to}`,
	};
}

export const directoryChoices = [
	{choice: 'allow', label: 'Yes, from now on'},
	{choice: 'deny', label: 'No', refuses: true},
];

export function otherDirectory(from: string, to: string): string {
	return `This session works in ${quoteUntrusted(from)}, not in ${quoteUntrusted(to)}. Use --cwd to continue here.`;
}

export function directoryDenied(from: string): string {
	return `Nothing was sent: the session stays in ${quoteUntrusted(from)}. Start inkpod there, or use /new here.`;
}
