/**
The error of a connection that fails until the user changes something. The message is a sentence for the user, without
its full stop and without secrets.
*/
export class ConnectionProblem extends Error {
	override readonly name = 'ConnectionProblem';
}
