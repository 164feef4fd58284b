/**
A connection error, if some of the user's certificate files or folders could not be used. The message has a sentence for
each of these files and folders.
*/
export class IgnoredPlaces extends Error {
	constructor(sentences: readonly string[], cause: unknown) {
		super(sentences.join(' '), {cause});
		this.name = 'IgnoredPlaces';
	}
}
