/** What you are told of a connection to another terminal. */
export const texts = {
	absent: 'Nobody listens on the socket of this session.',
	lost: 'The connection to the other terminal is lost.',
	left: 'This terminal was detached.',
	mute: 'The other terminal does not answer.',
	strange: 'The other terminal said something that this version does not know.',
	version: 'The other terminal runs another version of inkpod.',
	large: 'The other terminal sent more than this one can keep.',
	long: 'This is too long to be sent to the other terminal.',
} as const;
