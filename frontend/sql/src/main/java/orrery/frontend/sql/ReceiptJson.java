package orrery.frontend.sql;

import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.model.metering.Charge;
import orrery.model.metering.Receipt;

/** Lists the parts of a charge, for clients that ask with {@link SqlHeaders#CHARGE_DETAIL}. */
final class ReceiptJson {
    private ReceiptJson() {}

    static String write(Charge charge) {
        Receipt receipt = Receipt.of(charge);
        return JsonText.write(
                Json.builder()
                        .put("charge", units(receipt.total()))
                        .put("billedKb", kilobytes(charge.billedBytes()))
                        .put("leavesAdded", charge.leavesAdded())
                        .put("leavesRemoved", charge.leavesRemoved())
                        .put("rangesVisited", charge.ranges())
                        .put("documentsLoaded", charge.documents())
                        .put("consistencyFactor", charge.consistencyFactor())
                        .put(
                                "parts",
                                Json.builder()
                                        .put("base", units(receipt.base()))
                                        .put("size", units(receipt.size()))
                                        .put("leaves", units(receipt.leaves()))
                                        .put("consistency", units(receipt.consistency()))
                                        .build())
                        .build());
    }

    private static Value units(long hundredths) {
        return Value.of(hundredths / 100.0);
    }

    private static Value kilobytes(long bytes) {
        return Value.of(Math.round(bytes * 1000 / 1024.0) / 1000.0);
    }
}
