import type {Cost} from '../../pod/protocol.ts';

/** `$12.40`, `$0.04`, `$0.0031`, `under $0.0001`; with `≥` where some of it is not known. */
export function costText({usd, unknown}: Cost): string {
	const known = usd > 0 && usd < 0.0001 ? 'under $0.0001' : `$${usd >= 0.0095 || usd === 0 ? usd.toFixed(2) : usd.toFixed(4).replace(/0+$/, '')}`;
	return unknown > 0 ? `≥ ${known}` : known;
}
