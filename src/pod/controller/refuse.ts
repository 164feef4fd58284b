import type {Receipt} from '../protocol.ts';
import {internalError, receiptOf} from '../status/job.ts';
import {refusalTexts, type StateRefusal} from './texts.ts';

export function refuse(code: StateRefusal, sentence = refusalTexts[code]): Receipt {
	return {accepted: false, code, sentence};
}

/** A bug becomes a receipt: every method is answered. */
export async function orInternalError(receipt: Promise<Receipt>): Promise<Receipt> {
	return receipt.catch(error => receiptOf(internalError(error)));
}
