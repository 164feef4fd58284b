import type {Receipt} from '../../protocol.ts';
import {internalError, receiptOf} from '../status/job.ts';
import {refusalTexts, type StateRefusal} from './texts.ts';

export function refuse(code: StateRefusal, sentence = refusalTexts[code]): Receipt {
	return {accepted: false, code, sentence};
}

/** Turns a bug into a receipt, so that every method has an answer. */
export async function orInternalError(receipt: Promise<Receipt>): Promise<Receipt> {
	return receipt.catch(error => receiptOf(internalError(error)));
}
