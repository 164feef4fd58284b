/** Local servers that speak the real protocols of the providers. */
export {createLedger, type Ledger} from './ledger.ts';
export {
	startServer,
	wires,
	type HttpAnswer,
	type RecordedRequest,
	type ServerAnswer,
	type ServerOptions,
	type WireName,
	type WireServer,
} from './server.ts';
