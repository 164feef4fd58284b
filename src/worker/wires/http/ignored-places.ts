/**
An error of a connection while some places of certificates could not be used. The message has a sentence for each of
these places.
*/
export class IgnoredPlaces extends Error {
	constructor(sentences: readonly string[], cause: unknown) {
		super(sentences.join(' '), {cause});
		this.name = 'IgnoredPlaces';
	}
}
