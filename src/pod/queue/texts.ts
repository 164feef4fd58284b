export const queueTexts = {
	full: 'The queue is full.',
	notBegun: 'Not queued: the turn had ended before the session was saved.',
	gone: 'This message is not in the queue any more.',
};
