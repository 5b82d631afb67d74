package orrery.frontend.rest;

import orrery.model.metering.Charge;
import orrery.model.metering.Receipt;

/** Charges in headers and bodies. */
public final class ChargeText {
    private ChargeText() {}

    /** Two decimals at most, none where they say nothing; never an exponent or a comma. */
    public static String of(Charge charge) {
        long hundredths = Receipt.hundredths(charge);
        if (hundredths % 100 == 0) {
            return Long.toString(hundredths / 100);
        }
        long fraction = hundredths % 100;
        return hundredths / 100 + (fraction < 10 ? ".0" : ".") + fraction;
    }
}
